package toystore.frontend.http.request;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.web.util.WebUtils;

/// A cookie of the pages. Scripts cannot read it, and other sites' forms do not send it. Over
/// HTTPS, its name makes browsers refuse a cookie that another host or a plain connection set.
/// Behind a path prefix, the cookie is sent to that path only; browsers then refuse the first name,
/// so it has the next best, which refuses a plain connection's. Browsers send a host's cookies to
/// all its ports, so the name contains the port, unless it is the usual one: two stores on one host
/// have two cookies.
///
/// @param kind its name without prefix and port
/// @param sameSite `Lax`; or `Strict`, with which links of other sites do not send it, either
public record HostCookie(String kind, String sameSite) {
  /// Has a session's token. It ends with the browser, the session 5 minutes after its last use.
  public static final HostCookie SESSION = new HostCookie("toystore-session");

  public static final HostCookie BASKET = new HostCookie("toystore-basket");

  private static final Set<Integer> USUAL_PORTS = Set.of(80, 443);

  public HostCookie(String kind) {
    this(kind, "Lax");
  }

  /// Returns the value. Over HTTPS, only the cookie with the protected name counts.
  public Optional<String> read(HttpServletRequest request) {
    Cookie secure = WebUtils.getCookie(request, name(request, true));
    Cookie cookie =
        secure != null || isHttps(request)
            ? secure
            : WebUtils.getCookie(request, name(request, false));
    return Optional.ofNullable(cookie).map(Cookie::getValue).filter(value -> !value.isEmpty());
  }

  /// Returns the `Set-Cookie` header.
  ///
  /// @param maxAge null: it ends with the browser
  public String create(HttpServletRequest request, String value, @Nullable Duration maxAge) {
    return header(request, isHttps(request), value, maxAge);
  }

  /// Returns the `Set-Cookie` header that deletes the request's cookie.
  public String delete(HttpServletRequest request) {
    boolean secure = WebUtils.getCookie(request, name(request, true)) != null;
    return header(request, secure, "", Duration.ZERO);
  }

  /// Returns the `Set-Cookie` headers that delete the cookie of a request that may not have been
  /// read up to it.
  public List<String> deleteUnread(HttpServletRequest request) {
    return List.of(
        header(request, true, "", Duration.ZERO), header(request, false, "", Duration.ZERO));
  }

  private String name(HttpServletRequest request, boolean secure) {
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

  private String header(
      HttpServletRequest request, boolean secure, String value, @Nullable Duration maxAge) {
    String prefix = request.getContextPath();
    var cookie =
        ResponseCookie.from(name(request, secure), value)
            .path(prefix.isEmpty() ? "/" : prefix)
            .httpOnly(true)
            .secure(secure)
            .sameSite(sameSite);
    return (maxAge == null ? cookie : cookie.maxAge(maxAge)).build().toString();
  }
}
