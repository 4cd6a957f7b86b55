package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.SessionClient;

/// Finds the session of a request by its cookie. Without a live session, it redirects to the login
/// page, which says so if a form was not processed. A form without the session's CSRF token is
/// refused, even if the browser sends no header that shows where the form came from. Any thread.
@Component
final class SessionInterceptor implements HandlerInterceptor {
  /// The attribute of a request with its [PageSession].
  static final String SESSION = "session";

  private static final Set<String> READS = Set.of("GET", "HEAD");

  private final SessionClient sessions;
  private final MarketRenderer renderer;

  SessionInterceptor(SessionClient sessions, MarketRenderer renderer) {
    this.sessions = sessions;
    this.renderer = renderer;
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    Optional<BearerToken> token = SessionCookie.read(request);
    boolean isForm = !READS.contains(request.getMethod());
    Optional<PageSession> found = token.flatMap(this::find);
    if (found.isEmpty()) {
      if (token.isPresent()) {
        response.addHeader(HttpHeaders.SET_COOKIE, SessionCookie.delete(request));
      }
      login(isForm, token.isPresent()).writeTo(response);
      return false;
    }
    request.setAttribute(SESSION, found.get());
    return !isForm || isOwnForm(request, response, found.get());
  }

  private HttpReply login(boolean isForm, boolean hadSession) {
    String path = "/market/login";
    return isForm
        ? renderer.redirect(path, Notice.NOT_LOGGED_IN)
        : hadSession
            ? renderer.redirect(path, Notice.SESSION_ENDED)
            : MarketRenderer.redirect(path);
  }

  private Optional<PageSession> find(BearerToken token) {
    try {
      return Optional.of(new PageSession(sessions.authenticate(token), token));
    } catch (ApiException e) {
      if (e.status() == HttpServletResponse.SC_UNAUTHORIZED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private boolean isOwnForm(
      HttpServletRequest request, HttpServletResponse response, PageSession session)
      throws IOException {
    FormBody form = FormBody.of(request);
    if (!session.hasCsrfToken(form.optionalText("csrf").orElse(""))) {
      renderer.foreignForm(session).writeTo(response);
      return false;
    }
    form.optionalText("key")
        .ifPresent(key ->
            response.setHeader(IdempotencyKey.HEADER, IdempotencyKey.fromClient(key).value()));
    return true;
  }
}
