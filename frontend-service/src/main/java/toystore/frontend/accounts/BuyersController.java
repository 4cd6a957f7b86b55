package toystore.frontend.accounts;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.Answer;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.ClientAddress;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.MessageView;

/// `/api/buyers`: accounts of buyers. Anyone can register and log in.
@RestController
@RequestMapping("/api/buyers")
final class BuyersController {
  private final AccountClient accounts;
  private final CartClient carts;

  BuyersController(AccountClient accounts, CartClient carts) {
    this.accounts = accounts;
    this.carts = carts;
  }

  @PostMapping("/register")
  @ResponseStatus(HttpStatus.CREATED)
  Answer<RegisteredAccount> register(
      IdempotencyKey key, @Valid @RequestBody Credentials credentials, HttpServletRequest request) {
    return accounts.register(AccountRole.BUYER, key, credentials, ClientAddress.of(request));
  }

  @PostMapping("/login")
  LoginView login(@Valid @RequestBody Credentials credentials, HttpServletRequest request) {
    String token = accounts.login(AccountRole.BUYER, credentials, ClientAddress.of(request));
    return new LoginView("logged in", token);
  }

  /// Ends the session. Its unsaved cart is deleted now if possible, else by the order service's
  /// next sweep.
  @PostMapping("/logout")
  MessageView logout(BuyerSession session, BearerToken token) {
    accounts.logout(token);
    carts.endSession(session);
    return new MessageView("logged out");
  }
}
