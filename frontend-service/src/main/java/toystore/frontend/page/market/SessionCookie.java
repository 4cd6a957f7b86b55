package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import toystore.frontend.http.request.HostCookie;
import toystore.frontend.security.BearerToken;

/// The cookie with a session's token. It ends with the browser; the session itself ends five
/// minutes after its last use.
public final class SessionCookie {
  public static final HostCookie COOKIE = new HostCookie("toystore-session");

  private SessionCookie() {}

  static Optional<BearerToken> read(HttpServletRequest request) {
    return COOKIE.read(request).map(BearerToken::new);
  }

  /// Returns the `Set-Cookie` header after a login.
  static String create(HttpServletRequest request, String token) {
    return COOKIE.create(request, token, null);
  }

  static String delete(HttpServletRequest request) {
    return COOKIE.delete(request);
  }
}
