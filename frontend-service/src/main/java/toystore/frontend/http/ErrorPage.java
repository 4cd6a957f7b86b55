package toystore.frontend.http;

/// Renders an error as an HTML page, for clients that prefer HTML.
public interface ErrorPage {
  BytesResponse render(ApiException error);
}
