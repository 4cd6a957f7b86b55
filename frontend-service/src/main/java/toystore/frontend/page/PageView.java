package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.security.web.header.writers.CompositeHeaderWriter;
import org.springframework.security.web.header.writers.ContentSecurityPolicyHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.header.writers.StaticHeadersWriter;
import org.springframework.security.web.header.writers.XContentTypeOptionsHeaderWriter;
import org.springframework.security.web.header.writers.frameoptions.XFrameOptionsHeaderWriter;
import org.springframework.web.util.ContentCachingResponseWrapper;
import org.thymeleaf.spring6.view.ThymeleafView;

/// A page with the headers that each page has, and with a Content-Length.
public final class PageView extends ThymeleafView {
  /// The attribute of a page with the number of units in the basket, for the link to it.
  static final String IN_BASKET = "inBasket";

  /// The attribute of a page with its path without a prefix, for `aria-current` of links.
  private static final String PATH = "path";

  /// Allows only files of the same origin, no inline script or style, and no framing.
  public static final HeaderWriter HEADERS =
      headers(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");

  @Override
  public void render(
      @Nullable Map<String, ?> model, HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    HEADERS.writeHeaders(request, response);
    if (response.getStatus() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
      response.setHeader(HttpHeaders.RETRY_AFTER, "1");
    }
    var buffered = new ContentCachingResponseWrapper(response);
    var all = new HashMap<String, Object>(model == null ? Map.of() : model);
    all.putIfAbsent(IN_BASKET, Basket.of(request).size());
    all.put(PATH, request.getServletPath());
    super.render(all, request, buffered);
    buffered.copyBodyToResponse();
  }

  /// The referrer is sent only to the same origin. It is not disabled completely, because browsers
  /// would then send `Origin: null` with forms.
  static HeaderWriter headers(String contentSecurityPolicy) {
    return new CompositeHeaderWriter(
        List.of(
            new ContentSecurityPolicyHeaderWriter(contentSecurityPolicy),
            new XFrameOptionsHeaderWriter(),
            new XContentTypeOptionsHeaderWriter(),
            new ReferrerPolicyHeaderWriter(ReferrerPolicy.SAME_ORIGIN),
            new StaticHeadersWriter(HttpHeaders.CACHE_CONTROL, "no-store"),
            new StaticHeadersWriter(HttpHeaders.VARY, "Accept, HX-Request")));
  }
}
