package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.accounts.AccountClient;
import toystore.frontend.accounts.AccountRole;
import toystore.frontend.accounts.Credentials;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.ClientAddress;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;
import toystore.frontend.http.SessionClient;
import toystore.frontend.http.UserSession;

/// Registration, login and logout of buyers and sellers. Passwords are never shown again.
@Controller
@RequestMapping("/market")
final class AccountPageController {
  private final AccountClient accounts;
  private final SessionClient sessions;
  private final CartClient carts;
  private final MarketRenderer renderer;

  AccountPageController(
      AccountClient accounts, SessionClient sessions, CartClient carts, MarketRenderer renderer) {
    this.accounts = accounts;
    this.sessions = sessions;
    this.carts = carts;
    this.renderer = renderer;
  }

  @GetMapping("/login")
  HttpReply loginPage() {
    return renderer.page(null, PageMessage.NONE, "login", Map.of("role", "buyer", "name", ""));
  }

  @GetMapping("/register")
  HttpReply registerPage() {
    return renderer.page(null, PageMessage.NONE, "register", Map.of("role", "buyer", "name", ""));
  }

  @PostMapping("/login")
  HttpReply login(HttpServletRequest request, FormBody form) {
    try {
      return logIn(role(form), credentials(form), request);
    } catch (ApiException e) {
      return again("login", form, e);
    }
  }

  /// Registers and logs in. A form that is sent twice registers once.
  @PostMapping("/register")
  HttpReply register(HttpServletRequest request, FormBody form) {
    AccountRole role;
    Credentials credentials;
    try {
      role = role(form);
      credentials = credentials(form);
      accounts.register(role, form.key(), credentials, ClientAddress.of(request));
    } catch (ApiException e) {
      return again("register", form, e);
    }
    try {
      return logIn(role, credentials, request);
    } catch (ApiException e) {
      return renderer.redirect("/market/login", Notice.REGISTERED);
    }
  }

  /// Deletes the cookie even if the account service cannot end the session now: without the token,
  /// nobody can use it, and it ends by itself.
  @PostMapping("/logout")
  HttpReply logout(@RequestAttribute PageSession session, HttpServletRequest request) {
    end(session.token(), session.user());
    HttpReply reply = renderer.redirect("/market/login", Notice.LOGGED_OUT);
    return response -> {
      response.addHeader(HttpHeaders.SET_COOKIE, SessionCookie.delete(request));
      reply.writeTo(response);
    };
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
  private HttpReply logIn(AccountRole role, Credentials credentials, HttpServletRequest request) {
    String token = accounts.login(role, credentials, ClientAddress.of(request));
    SessionCookie.read(request).ifPresent(this::endReplaced);
    HttpReply reply =
        MarketRenderer.redirect(role == AccountRole.BUYER ? "/market" : "/market/selling");
    return response -> {
      response.addHeader(HttpHeaders.SET_COOKIE, SessionCookie.create(request, token));
      reply.writeTo(response);
    };
  }

  private void endReplaced(BearerToken token) {
    try {
      end(token, sessions.authenticate(token));
    } catch (ApiException e) {
      // it has ended, or ends by itself
    }
  }

  private HttpReply again(String template, FormBody form, ApiException error) {
    HttpReply page =
        renderer.page(
            null,
            PageMessage.of(error),
            MarketRenderer.keyAfter(error, form),
            template,
            Map.of(
                "role", form.optionalText("role").orElse("buyer"),
                "name", form.optionalText("username").orElse("")));
    return response -> {
      if (error.reason() == ApiErrorReason.TOO_MANY_LOGINS) {
        response.setHeader(HttpHeaders.RETRY_AFTER, error.retryAfter());
      }
      page.writeTo(response);
    };
  }

  private static Credentials credentials(FormBody form) {
    return new Credentials(form.text("username"), form.text("password"));
  }

  private static AccountRole role(FormBody form) {
    for (AccountRole role : AccountRole.values()) {
      if (role.name().toLowerCase(Locale.ROOT).equals(form.text("role"))) {
        return role;
      }
    }
    throw ApiException.badRequest("role must be buyer or seller");
  }
}
