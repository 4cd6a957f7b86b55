package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.util.ContentCachingResponseWrapper;
import org.thymeleaf.spring6.view.ThymeleafView;
import toystore.frontend.http.ServerTimingFilter;

/// A page with the headers that each page has, and with a Content-Length.
public final class PageView extends ThymeleafView {
  /// Allows only files of the same origin, no inline script or style, and no framing.
  private static final Map<String, String> HEADERS =
      headers(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");

  @Override
  public void render(
      @Nullable Map<String, ?> model, HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    HEADERS.forEach(response::setHeader);
    if (response.getStatus() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
      response.setHeader(HttpHeaders.RETRY_AFTER, "1");
    }
    ServerTimingFilter.addHeaders(response);
    var buffered = new ContentCachingResponseWrapper(response);
    super.render(model, request, buffered);
    buffered.copyBodyToResponse();
  }

  /// The referrer is sent only to the same origin. It is not disabled completely, because browsers
  /// would then send `Origin: null` with forms.
  static Map<String, String> headers(String contentSecurityPolicy) {
    return Map.of(
        "Content-Security-Policy",
        contentSecurityPolicy,
        HttpHeaders.CACHE_CONTROL,
        "no-store",
        "X-Content-Type-Options",
        "nosniff",
        "Referrer-Policy",
        "same-origin",
        HttpHeaders.VARY,
        "Accept, HX-Request");
  }
}
