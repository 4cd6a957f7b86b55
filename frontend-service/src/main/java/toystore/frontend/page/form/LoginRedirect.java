package toystore.frontend.page.form;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.FlashMapManager;
import toystore.frontend.http.request.HostCookie;

/// Redirects to a login page, which says so if a form was not processed or a session has ended. Any
/// thread.
///
/// @param cookie of the session
/// @param path of the login page
public record LoginRedirect(FlashMapManager notices, HostCookie cookie, String path) {
  public void send(HttpServletRequest request, HttpServletResponse response) {
    boolean isForm = HttpMethod.POST.matches(request.getMethod());
    boolean hadSession = cookie.read(request).isPresent();
    if (hadSession) {
      response.addHeader(HttpHeaders.SET_COOKIE, cookie.delete(request));
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
