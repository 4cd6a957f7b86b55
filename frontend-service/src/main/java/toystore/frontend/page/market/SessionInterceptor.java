package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndViewDefiningException;
import org.springframework.web.servlet.support.RequestContextUtils;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
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
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws ModelAndViewDefiningException {
    Optional<BearerToken> token = SessionCookie.read(request);
    boolean isForm = !READS.contains(request.getMethod());
    Optional<PageSession> found = token.flatMap(this::find);
    if (found.isEmpty()) {
      if (token.isPresent()) {
        response.addHeader(HttpHeaders.SET_COOKIE, SessionCookie.delete(request));
      }
      if (isForm || token.isPresent()) {
        RequestContextUtils.getOutputFlashMap(request)
            .put(MarketController.MESSAGE, isForm ? Notice.NOT_LOGGED_IN : Notice.SESSION_ENDED);
      }
      throw new ModelAndViewDefiningException(MarketPage.redirect("/market/login"));
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
      HttpServletRequest request, HttpServletResponse response, PageSession session)
      throws ModelAndViewDefiningException {
    String csrf = request.getParameter("csrf");
    if (csrf == null || !session.hasCsrfToken(csrf)) {
      String text =
          "This form belongs to another session, which has ended, so nothing was done. Please open"
              + " the page again.";
      throw new ModelAndViewDefiningException(
          MarketPage.of(new PageMessage(403, text, true), "refused", Map.of("user", session)));
    }
    String key = request.getParameter(MarketController.KEY);
    if (key != null && !key.isEmpty()) {
      response.setHeader(IdempotencyKey.HEADER, IdempotencyKey.fromClient(key).value());
    }
  }
}
