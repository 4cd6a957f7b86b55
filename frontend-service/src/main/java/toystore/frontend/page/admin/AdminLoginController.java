package toystore.frontend.page.admin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.ClientAddress;
import toystore.frontend.page.market.FormPage;
import toystore.frontend.page.market.Notice;
import toystore.frontend.security.UserSession;
import toystore.platform.service.AdministratorToken;

/// Login with the administrator's token, and logout. An address that sent 10 wrong tokens is
/// refused for the rest of a minute, with the right one, too.
@Controller
@RequestMapping("/admin")
final class AdminLoginController implements FormPage {
  private static final int MAX_WRONG = 10;
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int MAX_ADDRESSES = 10_000;

  private final AdministratorToken administrator;
  private final AdminSessions sessions;
  private final Cache<ClientAddress, AtomicInteger> wrong =
      Caffeine.newBuilder().expireAfterWrite(WINDOW).maximumSize(MAX_ADDRESSES).build();

  AdminLoginController(AdministratorToken administrator, AdminSessions sessions) {
    this.administrator = administrator;
    this.sessions = sessions;
  }

  @Override
  @GetMapping("/login")
  public String page(UserSession nobody, HttpServletRequest request, Model model) {
    return "admin/login";
  }

  @PostMapping("/login")
  String login(
      @RequestParam(defaultValue = "") String token,
      HttpServletRequest request,
      HttpServletResponse response) {
    AtomicInteger failures = wrong.get(ClientAddress.of(request), _ -> new AtomicInteger());
    if (failures.get() >= MAX_WRONG) {
      throw ApiException.tooManyLogins(WINDOW);
    }
    if (administrator.check("Bearer " + token) != AdministratorToken.Shown.ADMINISTRATOR) {
      failures.incrementAndGet();
      throw ApiException.of(ApiErrorReason.OTHER_TOKEN, "this is not the administrator's token");
    }
    String value = sessions.value(sessions.begin());
    response.addHeader(
        HttpHeaders.SET_COOKIE, AdminConfiguration.COOKIE.create(request, value, null));
    return "redirect:/admin";
  }

  @PostMapping("/logout")
  String logout(
      @AuthenticationPrincipal AdminSession session,
      HttpServletRequest request,
      HttpServletResponse response,
      RedirectAttributes next) {
    sessions.end(session);
    response.addHeader(HttpHeaders.SET_COOKIE, AdminConfiguration.COOKIE.delete(request));
    return Notice.LOGGED_OUT.at(AdminConfiguration.LOGIN, next);
  }
}
