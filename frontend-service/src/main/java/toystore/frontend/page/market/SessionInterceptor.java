package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.FormBody;
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

  SessionInterceptor(SessionClient sessions) {
    this.sessions = sessions;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    Optional<BearerToken> token = SessionCookie.read(request);
    boolean isForm = !READS.contains(request.getMethod());
    Optional<PageSession> found = token.flatMap(this::find);
    if (found.isEmpty()) {
      if (token.isPresent()) {
        response.addHeader(HttpHeaders.SET_COOKIE, SessionCookie.delete(request));
      }
      throw new MarketAdvice.NotLoggedIn(
          isForm ? Notice.NOT_LOGGED_IN : token.isPresent() ? Notice.SESSION_ENDED : null);
    }
    request.setAttribute(SESSION, found.get());
    if (isForm) {
      checkForm(request, response, found.get());
    }
    return true;
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

  private static void checkForm(
      HttpServletRequest request, HttpServletResponse response, PageSession session) {
    FormBody form = FormBody.of(request);
    if (!session.hasCsrfToken(form.optionalText("csrf").orElse(""))) {
      throw new MarketAdvice.ForeignForm();
    }
    form.optionalText("key")
        .ifPresent(key ->
            response.setHeader(IdempotencyKey.HEADER, IdempotencyKey.fromClient(key).value()));
  }
}
