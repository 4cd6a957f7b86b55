package toystore.frontend.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import toystore.frontend.http.error.ApiException;
import toystore.platform.error.ErrorReason;

/// Refuses changes that a browser sends from a page of another site (CSRF). Current browsers send
/// `Sec-Fetch-Site`, which no page can set and which holds behind a proxy that changes `Host` or
/// `Origin`; older ones, and browsers on plain HTTP, send only `Origin`. A client that sends
/// neither is not a browser and is accepted. Forms of a session carry a CSRF token as well.
///
/// Answers 404 to a path with a semicolon: Tomcat and Spring would drop what follows it as a matrix
/// parameter. Answers 400, or 401 to `Authorization`, to a header with bytes outside ASCII, which
/// has no charset. Any thread.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 25)
final class RequestCheckFilter extends HttpFilter {
  private static final Pattern DEFAULT_PORT = Pattern.compile(":(80|443)$");
  private static final Pattern TRAILING_DOT = Pattern.compile("\\.(?=:\\d*$|$)");
  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private final ApiExceptionHandler errors;

  RequestCheckFilter(ApiExceptionHandler errors) {
    this.errors = errors;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.getAttribute(ErrorValve.NOT_ASCII) instanceof String header) {
      int status = header.equalsIgnoreCase(HttpHeaders.AUTHORIZATION) ? 401 : 400;
      errors.respond(
          ApiException.of(status, "header " + header + " must contain only ASCII characters"),
          request,
          response);
    } else if (request.getRequestURI().indexOf(';') >= 0) {
      errors.respond(ApiException.of(404, "no such path"), request, response);
    } else if (!READS.contains(request.getMethod()) && isCrossSite(request)) {
      errors.respond(
          ApiException.of(ErrorReason.CROSS_SITE, "cross-site requests are not allowed"),
          request,
          response);
    } else {
      chain.doFilter(request, response);
    }
  }

  static boolean isCrossSite(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    return isForeign(request.getHeader(HttpHeaders.ORIGIN), request.getHeader(HttpHeaders.HOST));
  }

  private static boolean isForeign(@Nullable String origin, @Nullable String host) {
    return origin != null && (host == null || !normalize(origin).endsWith("://" + normalize(host)));
  }

  /// A proxy that ends TLS may change the default port, and a trailing dot names the same host.
  private static String normalize(String authority) {
    String name = DEFAULT_PORT.matcher(authority.toLowerCase(Locale.ROOT)).replaceFirst("");
    return TRAILING_DOT.matcher(name).replaceFirst("");
  }
}
