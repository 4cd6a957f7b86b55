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

/// What a request says of the browser it comes from.
final class BrowserRequest {
  private BrowserRequest() {}

  /// Whether it would rather have HTML than JSON; one that takes anything gets JSON.
  static boolean wantsHtml(HttpServletRequest request) {
    try {
      List<MediaType> accepted =
          MediaType.parseMediaTypes(Collections.list(request.getHeaders("Accept")));
      return isHtmx(request)
          || quality(accepted, MediaType.TEXT_HTML) > quality(accepted, MediaType.APPLICATION_JSON);
    } catch (InvalidMediaTypeException | IndexOutOfBoundsException e) {
      return false; // the second comes of quotes that Spring looks behind the end for
    }
  }

  /// Whether htmx asks, which puts the answer into the page it is on.
  static boolean isHtmx(HttpServletRequest request) {
    return "true".equals(request.getHeader("HX-Request"));
  }

  /// A form on another site may send a browser here, which the browser says: by `Sec-Fetch-Site`,
  /// or by `Origin` where it is older or the connection plain. What says neither is no browser, and
  /// nobody can lead it. There are no cookies; what is guarded is that people buy on purpose.
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

  private static double quality(List<MediaType> accepted, MediaType wanted) {
    return accepted.stream()
        .filter(type -> type.includes(wanted))
        .min(
            Comparator.comparing(MediaType::isWildcardType)
                .thenComparing(MediaType::isWildcardSubtype))
        .map(MediaType::getQualityValue)
        .orElse(0.0);
  }
}
