package toystore.frontend.page.market;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.web.util.WebUtils;
import toystore.frontend.security.BearerToken;

/// The cookie with a session's token. Scripts cannot read it, and other sites' forms do not send
/// it. It ends with the browser; the session itself ends five minutes after its last use. Over
/// HTTPS, its name makes browsers refuse a cookie that another host or a plain connection set.
/// Behind a path prefix, the cookie is sent to that path only; browsers then refuse the first name,
/// so it has the next best, which refuses a plain connection's. Browsers send a host's cookies to
/// all its ports, so the name contains the port, unless it is the usual one: two stores on one host
/// keep two logins.
public final class SessionCookie {
  static final String NAME = "toystore-session";
  private static final Set<Integer> USUAL_PORTS = Set.of(80, 443);

  private SessionCookie() {}

  /// Over HTTPS, only the cookie with the protected name counts.
  static Optional<BearerToken> read(HttpServletRequest request) {
    return value(request, NAME).map(BearerToken::new);
  }

  /// Returns the `Set-Cookie` header after a login.
  static String create(HttpServletRequest request, String token) {
    return create(request, NAME, token, null);
  }

  /// Returns the `Set-Cookie` header that deletes the request's cookie.
  static String delete(HttpServletRequest request) {
    return delete(request, NAME);
  }

  /// Returns the value of any cookie that was made here.
  ///
  /// @param kind its name without prefix and port
  public static Optional<String> value(HttpServletRequest request, String kind) {
    Cookie secure = WebUtils.getCookie(request, name(request, kind, true));
    Cookie cookie =
        secure != null || isHttps(request)
            ? secure
            : WebUtils.getCookie(request, name(request, kind, false));
    return Optional.ofNullable(cookie).map(Cookie::getValue).filter(value -> !value.isEmpty());
  }

  /// @param maxAge null: it ends with the browser
  static String create(
      HttpServletRequest request, String kind, String value, @Nullable Duration maxAge) {
    return header(request, kind, isHttps(request), value, maxAge, "Lax");
  }

  /// Returns the `Set-Cookie` header of a cookie that no other site's links send, either. It ends
  /// with the browser.
  public static String createStrict(HttpServletRequest request, String kind, String value) {
    return header(request, kind, isHttps(request), value, null, "Strict");
  }

  public static String delete(HttpServletRequest request, String kind) {
    boolean secure = WebUtils.getCookie(request, name(request, kind, true)) != null;
    return header(request, kind, secure, "", Duration.ZERO, "Lax");
  }

  private static String name(HttpServletRequest request, String kind, boolean secure) {
    int port = request.getServerPort();
    return prefix(request, secure) + kind + (USUAL_PORTS.contains(port) ? "" : "-" + port);
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

  private static String prefix(HttpServletRequest request, boolean secure) {
    if (!secure) {
      return "";
    }
    return request.getContextPath().isEmpty() ? "__Host-" : "__Secure-";
  }

  private static String header(
      HttpServletRequest request,
      String kind,
      boolean secure,
      String value,
      @Nullable Duration maxAge,
      String sameSite) {
    String prefix = request.getContextPath();
    var cookie =
        ResponseCookie.from(name(request, kind, secure), value)
            .path(prefix.isEmpty() ? "/" : prefix)
            .httpOnly(true)
            .secure(secure)
            .sameSite(sameSite);
    return (maxAge == null ? cookie : cookie.maxAge(maxAge)).build().toString();
  }
}
