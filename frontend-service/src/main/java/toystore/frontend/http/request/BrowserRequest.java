package toystore.frontend.http.request;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/// Inspects the headers that browsers and htmx send.
public final class BrowserRequest {
  private static final Set<String> PROGRAM =
      Set.of(MediaType.ALL_VALUE, MediaType.APPLICATION_JSON_VALUE);

  private BrowserRequest() {}

  /// Whether the client prefers HTML to JSON. A client that accepts anything gets JSON, unless it
  /// is a browser: those name XHTML, too. Java's `HttpURLConnection` before JDK 25 ranks
  /// `text/html` above `*/*`.
  public static boolean wantsHtml(HttpServletRequest request) {
    Enumeration<String> headers = request.getHeaders("Accept");
    if (!headers.hasMoreElements()
        || (PROGRAM.contains(headers.nextElement()) && !headers.hasMoreElements())) {
      return isHtmx(request); // without parsing
    }
    List<MediaType> accepted = accepted(request);
    boolean isBrowser =
        accepted.stream().noneMatch(MediaType::isWildcardType)
            || accepted.stream().anyMatch(MediaType.APPLICATION_XHTML_XML::equalsTypeAndSubtype);
    return isHtmx(request)
        || (isBrowser
            && quality(accepted, MediaType.TEXT_HTML)
                > quality(accepted, MediaType.APPLICATION_JSON));
  }

  /// Returns the types of the `Accept` headers; none if they are malformed.
  public static List<MediaType> accepted(HttpServletRequest request) {
    try {
      return MediaType.parseMediaTypes(Collections.list(request.getHeaders("Accept")));
    } catch (InvalidMediaTypeException | IndexOutOfBoundsException e) {
      return List.of(); // Spring throws the second for some unbalanced quotes
    }
  }

  /// Whether htmx sent the request. It inserts the answer into the current page.
  public static boolean isHtmx(HttpServletRequest request) {
    return "true".equals(request.getHeader("HX-Request"));
  }

  public static double quality(List<MediaType> accepted, MediaType preferred) {
    return accepted.stream()
        .filter(type -> type.includes(preferred))
        .min(
            Comparator.comparing(MediaType::isWildcardType)
                .thenComparing(MediaType::isWildcardSubtype))
        .map(MediaType::getQualityValue)
        .orElse(0.0);
  }
}
