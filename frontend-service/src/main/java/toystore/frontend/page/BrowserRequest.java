package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import toystore.frontend.http.ApiError;

/// Inspects the headers that browsers and htmx send.
final class BrowserRequest {
  private BrowserRequest() {}

  /// Whether the client prefers HTML to JSON. A client that accepts anything gets JSON.
  static boolean wantsHtml(HttpServletRequest request) {
    try {
      List<MediaType> accepted =
          MediaType.parseMediaTypes(Collections.list(request.getHeaders("Accept")));
      return isHtmx(request)
          || quality(accepted, MediaType.TEXT_HTML) > quality(accepted, MediaType.APPLICATION_JSON);
    } catch (InvalidMediaTypeException | IndexOutOfBoundsException e) {
      return false; // Spring throws the second for some unbalanced quotes
    }
  }

  /// Whether htmx sent the request. It inserts the answer into the current page.
  static boolean isHtmx(HttpServletRequest request) {
    return "true".equals(request.getHeader("HX-Request"));
  }

  /// Rejects forms that other sites submit (CSRF). Browsers send `Sec-Fetch-Site`; older ones, and
  /// browsers on plain HTTP, send `Origin`. A client that sends neither is not a browser and is
  /// accepted. The shop has no cookies. The check prevents orders that the user did not intend.
  static void rejectCrossSite(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    boolean sameOrigin =
        site == null
            ? isSameOrigin(request.getHeader("Origin"), request.getHeader("Host"))
            : site.equals("same-origin") || site.equals("none");
    if (!sameOrigin) {
      throw ApiError.of(403, "cross-site requests are not allowed");
    }
  }

  private static boolean isSameOrigin(@Nullable String origin, @Nullable String host) {
    return origin == null
        || (host != null
            && origin.toLowerCase(Locale.ROOT).endsWith("://" + host.toLowerCase(Locale.ROOT)));
  }

  private static double quality(List<MediaType> accepted, MediaType preferred) {
    return accepted.stream()
        .filter(type -> type.includes(preferred))
        .min(
            Comparator.comparing(MediaType::isWildcardType)
                .thenComparing(MediaType::isWildcardSubtype))
        .map(MediaType::getQualityValue)
        .orElse(0.0);
  }
}
