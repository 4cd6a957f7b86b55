package toystore.frontend.page.admin;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.stereotype.Component;
import toystore.frontend.http.request.HostCookie;
import toystore.frontend.page.admin.AdminSessions.AdminSession;
import toystore.frontend.security.BearerToken;

/// Finds the administrator's session by its cookie, and renews the cookie. Any thread.
@Component
public final class AdminAuthentication {
  public static final HostCookie COOKIE = new HostCookie("toystore-admin", "Strict");
  public static final String LOGIN = "/admin/login";

  private final AdminSessions sessions;
  private final AdminSessionClient ended;

  AdminAuthentication(AdminSessions sessions, AdminSessionClient ended) {
    this.sessions = sessions;
    this.ended = ended;
  }

  public Authentication authenticate(Authentication shown) {
    AdminSession session =
        sessions
            .find(BearerToken.of(shown).value())
            .filter(it -> !ended.hasEnded(it))
            .orElseThrow(() -> new BadCredentialsException("no session of the administrator"));
    return new PreAuthenticatedAuthenticationToken(
        session, "", AuthorityUtils.createAuthorityList("ROLE_ADMINISTRATOR"));
  }

  public void renew(
      HttpServletRequest request, HttpServletResponse response, Authentication authenticated) {
    sessions
        .used((AdminSession) requireNonNull(authenticated.getPrincipal()))
        .map(sessions::value)
        .ifPresent(value ->
            response.addHeader(HttpHeaders.SET_COOKIE, COOKIE.create(request, value, null)));
  }

  /// The session of a request, which may have ended.
  public Optional<String> sessionId(HttpServletRequest request) {
    return COOKIE.read(request).flatMap(sessions::find).map(AdminSession::id);
  }
}
