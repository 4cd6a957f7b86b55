package toystore.frontend.page.market;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.web.util.WebUtils;
import toystore.frontend.http.BearerToken;

/// The cookie with a session's token. Scripts cannot read it, and other sites' forms do not send
/// it. It ends with the browser; the session itself ends five minutes after its last use. Over
/// HTTPS, its name makes browsers refuse a cookie that another host or a plain connection set.
/// Behind a path prefix, the cookie is sent to that path only; browsers then refuse the first name,
/// so it has the next best, which refuses a plain connection's.
final class SessionCookie {
  private static final String NAME = "toystore-session";

  private SessionCookie() {}

  /// Over HTTPS, only the cookie with the protected name counts.
  static Optional<BearerToken> read(HttpServletRequest request) {
    Cookie secure = WebUtils.getCookie(request, secureName(request));
    Cookie cookie = secure != null || isHttps(request) ? secure : WebUtils.getCookie(request, NAME);
    return Optional.ofNullable(cookie)
        .map(Cookie::getValue)
        .filter(value -> !value.isEmpty())
        .map(BearerToken::new);
  }

  /// Returns the `Set-Cookie` header after a login.
  static String create(HttpServletRequest request, String token) {
    return header(request, isHttps(request), token, null);
  }

  /// Returns the `Set-Cookie` header that deletes the request's cookie.
  static String delete(HttpServletRequest request) {
    return header(
        request, WebUtils.getCookie(request, secureName(request)) != null, "", Duration.ZERO);
  }

  /// Behind a proxy that ends TLS, the proxy may say so (several make a list, the outermost first),
  /// and the browser does: it sends `Origin` with each form. A client that makes it up gets a
  /// stricter cookie.
  private static boolean isHttps(HttpServletRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return request.isSecure()
        || "https".equalsIgnoreCase(firstOf(request.getHeader("X-Forwarded-Proto")))
        || (origin != null && origin.startsWith("https://"));
  }

  private static String firstOf(@Nullable String list) {
    return list == null ? "" : list.split(",", 2)[0].strip();
  }

  private static String secureName(HttpServletRequest request) {
    return (request.getContextPath().isEmpty() ? "__Host-" : "__Secure-") + NAME;
  }

  private static String header(
      HttpServletRequest request, boolean secure, String value, @Nullable Duration maxAge) {
    String prefix = request.getContextPath();
    var cookie =
        ResponseCookie.from(secure ? secureName(request) : NAME, value)
            .path(prefix.isEmpty() ? "/" : prefix)
            .httpOnly(true)
            .secure(secure)
            .sameSite("Lax");
    return (maxAge == null ? cookie : cookie.maxAge(maxAge)).build().toString();
  }
}
