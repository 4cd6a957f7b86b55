package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.accounts.Credentials;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.Secret;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.request.ClientAddress;
import toystore.frontend.http.request.HostCookie;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.security.AccountRole;
import toystore.frontend.security.BearerToken;
import toystore.frontend.security.SessionClient;
import toystore.frontend.security.UserSession;

/// Registration, login and logout of buyers and sellers. Passwords are never shown again.
@Controller
@RequestMapping("/market")
final class AccountPageController implements FormPage {
  private final AccountClient accounts;
  private final SessionClient sessions;

  AccountPageController(AccountClient accounts, SessionClient sessions) {
    this.accounts = accounts;
    this.sessions = sessions;
  }

  /// Its text does not show the password.
  record AccountForm(
      @NotNull(message = "must be buyer or seller") AccountRole role,
      @NotEmpty(message = Expected.TEXT) String username,
      @NotEmpty(message = Expected.TEXT, payload = Secret.class) String password) {
    Credentials credentials() {
      return new Credentials(username, password);
    }

    @Override
    public String toString() {
      return "AccountForm";
    }
  }

  @Override
  @GetMapping({"/login", "/register"})
  public String page(@Nullable UserSession user, HttpServletRequest request, Model model) {
    String role = request.getParameter("role");
    String name = request.getParameter("username");
    model.addAttribute("role", role == null ? "buyer" : role);
    model.addAttribute("name", name == null ? "" : name);
    return request.getServletPath().substring(1); // market/login, market/register
  }

  /// The new cookie replaces that of a session before, which nobody could end any more.
  @PostMapping("/login")
  String login(
      @Valid @ModelAttribute AccountForm form,
      HttpServletRequest request,
      HttpServletResponse response) {
    return "redirect:" + start(form, request, response);
  }

  /// Begins a session and returns the page where it starts.
  private String start(AccountForm form, HttpServletRequest request, HttpServletResponse response) {
    String token = accounts.login(form.role(), form.credentials(), ClientAddress.of(request));
    HostCookie.SESSION.read(request).map(BearerToken::new).ifPresent(this::endReplaced);
    response.addHeader(HttpHeaders.SET_COOKIE, HostCookie.SESSION.create(request, token, null));
    return form.role() == AccountRole.BUYER ? "/market" : "/market/selling";
  }

  /// Registers and logs in; each page of the session shows the id of the account. A form that is
  /// sent twice registers once.
  @PostMapping("/register")
  String register(
      @Valid @ModelAttribute AccountForm form,
      @RequestParam IdempotencyKey key,
      HttpServletRequest request,
      HttpServletResponse response) {
    accounts.register(form.role(), key, form.credentials(), ClientAddress.of(request));
    try {
      return Notice.WELCOME.at(start(form, request, response));
    } catch (ApiException e) {
      return Notice.REGISTERED.at("/market/login");
    }
  }

  /// Deletes the cookie even if the account service cannot end the session now: without the token,
  /// nobody can use it, and it ends by itself.
  @PostMapping("/logout")
  String logout(
      @AuthenticationPrincipal UserSession session,
      HttpServletRequest request,
      HttpServletResponse response) {
    end(session);
    response.addHeader(HttpHeaders.SET_COOKIE, HostCookie.SESSION.delete(request));
    return Notice.LOGGED_OUT.at("/market/login");
  }

  private void end(UserSession session) {
    try {
      accounts.logout(session);
    } catch (ApiException e) {
      // it ends by itself
    }
  }

  private void endReplaced(BearerToken token) {
    try {
      end(sessions.find(token));
    } catch (ApiException e) {
      // it has ended, or ends by itself
    }
  }
}
