package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.FlashMapManager;

/// Redirects to a login page, which says so if a form was not processed or a session has ended. Any
/// thread.
///
/// @param cookie kind of the [SessionCookie]
/// @param path of the login page
public record LoginRedirect(FlashMapManager notices, String cookie, String path) {
  public void send(HttpServletRequest request, HttpServletResponse response) {
    boolean isForm = HttpMethod.POST.matches(request.getMethod());
    boolean hadSession = SessionCookie.value(request, cookie).isPresent();
    if (hadSession) {
      response.addHeader(HttpHeaders.SET_COOKIE, SessionCookie.delete(request, cookie));
    }
    if (isForm || hadSession) {
      var notice = new FlashMap();
      notice.put(FormAdvice.MESSAGE, isForm ? Notice.NOT_LOGGED_IN : Notice.SESSION_ENDED);
      notices.saveOutputFlashMap(notice, request, response);
    }
    response.setStatus(HttpStatus.SEE_OTHER.value());
    response.setHeader(HttpHeaders.LOCATION, request.getContextPath() + path);
  }
}
