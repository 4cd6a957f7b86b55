package toystore.frontend.page.form;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.support.AbstractFlashMapManager;
import toystore.frontend.http.request.HostCookie;

/// Carries the [Notice] of a redirect to the next request in a cookie, because a frontend has no
/// HTTP sessions. It ends with that request. Any thread.
@Component(DispatcherServlet.FLASH_MAP_MANAGER_BEAN_NAME)
final class NoticeCookie extends AbstractFlashMapManager {
  private static final HostCookie COOKIE = new HostCookie("toystore-notice");
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  @Override
  protected @Nullable List<FlashMap> retrieveFlashMaps(HttpServletRequest request) {
    if (request.getHeader(HttpHeaders.COOKIE) == null) {
      return null;
    }
    var found = new ArrayList<FlashMap>();
    COOKIE
        .read(request)
        .flatMap(Notice::of)
        .ifPresent(notice -> {
          var flash = new FlashMap();
          flash.put(FormAdvice.MESSAGE, PageMessage.of(notice));
          found.add(flash);
        });
    return found;
  }

  @Override
  protected void updateFlashMaps(
      List<FlashMap> maps, HttpServletRequest request, HttpServletResponse response) {
    String cookie =
        !maps.isEmpty() && maps.getLast().get(FormAdvice.MESSAGE) instanceof Notice notice
            ? COOKIE.create(request, notice.name(), MAX_AGE)
            : COOKIE.delete(request);
    response.addHeader(HttpHeaders.SET_COOKIE, cookie);
  }
}
