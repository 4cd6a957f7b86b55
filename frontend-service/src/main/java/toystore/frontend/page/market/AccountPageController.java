package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.accounts.AccountRole;
import toystore.frontend.accounts.Credentials;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.ClientAddress;
import toystore.frontend.http.Expected;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.InvalidRequest;
import toystore.frontend.http.Secret;
import toystore.frontend.http.SessionClient;
import toystore.frontend.http.UserSession;

/// Registration, login and logout of buyers and sellers. Passwords are never shown again.
@Controller
@RequestMapping("/market")
final class AccountPageController extends MarketController {
  private final AccountClient accounts;
  private final SessionClient sessions;
  private final CartClient carts;
  private final InvalidRequest invalid;

  AccountPageController(
      AccountClient accounts, SessionClient sessions, CartClient carts, InvalidRequest invalid) {
    this.accounts = accounts;
    this.sessions = sessions;
    this.carts = carts;
    this.invalid = invalid;
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

  @GetMapping("/login")
  ModelAndView loginPage() {
    return MarketPage.of("login", Map.of("role", "buyer", "name", ""));
  }

  @GetMapping("/register")
  ModelAndView registerPage() {
    return MarketPage.of("register", Map.of("role", "buyer", "name", ""));
  }

  @PostMapping("/login")
  ModelAndView login(
      @Valid @ModelAttribute AccountForm form,
      BindingResult result,
      @RequestParam(required = false) @Nullable IdempotencyKey key,
      HttpServletRequest request,
      HttpServletResponse response) {
    try {
      invalid.check(result, AccountForm.class);
      return logIn(form.role(), form.credentials(), request, response);
    } catch (ApiException e) {
      return again("login", key, e, request, response);
    }
  }

  /// Registers and logs in. A form that is sent twice registers once.
  @PostMapping("/register")
  ModelAndView register(
      @Valid @ModelAttribute AccountForm form,
      BindingResult result,
      @RequestParam IdempotencyKey key,
      HttpServletRequest request,
      HttpServletResponse response,
      RedirectAttributes next) {
    try {
      invalid.check(result, AccountForm.class);
      accounts.register(form.role(), key, form.credentials(), ClientAddress.of(request));
    } catch (ApiException e) {
      return again("register", key, e, request, response);
    }
    try {
      return logIn(form.role(), form.credentials(), request, response);
    } catch (ApiException e) {
      return MarketPage.redirect("/market/login", Notice.REGISTERED, next);
    }
  }

  /// Deletes the cookie even if the account service cannot end the session now: without the token,
  /// nobody can use it, and it ends by itself.
  @PostMapping("/logout")
  ModelAndView logout(
      @RequestAttribute PageSession session,
      HttpServletRequest request,
      HttpServletResponse response,
      RedirectAttributes next) {
    end(session.token(), session.user());
    response.addHeader(HttpHeaders.SET_COOKIE, SessionCookie.delete(request));
    return MarketPage.redirect("/market/login", Notice.LOGGED_OUT, next);
  }

  private void end(BearerToken token, UserSession user) {
    try {
      accounts.logout(token);
      if (user instanceof BuyerSession buyer) {
        carts.endSession(buyer);
      }
    } catch (ApiException e) {
      // it ends by itself
    }
  }

  /// The new cookie replaces that of a session before, which nobody could end any more.
  private ModelAndView logIn(
      AccountRole role,
      Credentials credentials,
      HttpServletRequest request,
      HttpServletResponse response) {
    String token = accounts.login(role, credentials, ClientAddress.of(request));
    SessionCookie.read(request).ifPresent(this::endReplaced);
    response.addHeader(HttpHeaders.SET_COOKIE, SessionCookie.create(request, token));
    return MarketPage.redirect(role == AccountRole.BUYER ? "/market" : "/market/selling");
  }

  private void endReplaced(BearerToken token) {
    try {
      end(token, sessions.authenticate(token));
    } catch (ApiException e) {
      // it has ended, or ends by itself
    }
  }

  private static ModelAndView again(
      String template,
      @Nullable IdempotencyKey key,
      ApiException error,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (error.reason() == ApiErrorReason.TOO_MANY_LOGINS) {
      response.setHeader(HttpHeaders.RETRY_AFTER, error.retryAfter());
    }
    return MarketPage.again(
        template,
        error,
        key,
        Map.of(
            "role", Objects.requireNonNullElse(request.getParameter("role"), "buyer"),
            "name", Objects.requireNonNullElse(request.getParameter("username"), "")));
  }
}
