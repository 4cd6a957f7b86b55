package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;

/// Renders an error as an HTML page, for clients that prefer HTML.
public interface ErrorPage {
  BytesResponse render(HttpServletRequest request, ApiException error);
}
