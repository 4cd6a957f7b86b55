package toystore.frontend.page.admin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.page.admin.AdminSessions.AdminSession;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;
import toystore.platform.service.AdministratorToken;
import toystore.platform.text.IdentifierText;

/// Login with the administrator's token, and logout.
@Controller
@RequestMapping("/admin")
final class AdminLoginController implements FormPage {
  private static final int MAX_NAME = 50;

  private final AdministratorToken administrator;
  private final AdminSessions sessions;
  private final AdminSessionClient ended;

  AdminLoginController(
      AdministratorToken administrator, AdminSessions sessions, AdminSessionClient ended) {
    this.administrator = administrator;
    this.sessions = sessions;
    this.ended = ended;
  }

  @Override
  @GetMapping("/login")
  public String page(UserSession nobody, HttpServletRequest request, Model model) {
    model.addAttribute("name", request.getParameter("name"));
    return "admin/login";
  }

  /// @param name tells several administrators apart; empty: none
  @PostMapping("/login")
  String login(
      @RequestParam(defaultValue = "") String token,
      @RequestParam(defaultValue = "") String name,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (administrator.check("Bearer " + token) != AdministratorToken.Shown.ADMINISTRATOR) {
      throw ApiException.of(ErrorReason.OTHER_TOKEN, "this is not the administrator's token");
    }
    String value = sessions.value(sessions.begin(validate(name.strip())));
    response.addHeader(
        HttpHeaders.SET_COOKIE, AdminAuthentication.COOKIE.create(request, value, null));
    return "redirect:/admin";
  }

  /// In the list of changes, a comma follows the name.
  private static String validate(String name) {
    try {
      int comma = name.indexOf(',');
      if (comma >= 0) {
        throw IdentifierText.contains(
            "name", ',', name.codePointCount(0, comma) + 1, "a comma is not allowed");
      }
      return IdentifierText.of("name", name, 0, MAX_NAME);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  @PostMapping("/logout")
  String logout(
      @AuthenticationPrincipal AdminSession session,
      HttpServletRequest request,
      HttpServletResponse response) {
    ended.end(session);
    response.addHeader(HttpHeaders.SET_COOKIE, AdminAuthentication.COOKIE.delete(request));
    return Notice.LOGGED_OUT.at(AdminAuthentication.LOGIN);
  }
}
