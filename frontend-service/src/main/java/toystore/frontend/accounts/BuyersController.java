package toystore.frontend.accounts;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.ClientAddress;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.MessageView;

/// `/api/buyers`: accounts of buyers. Anyone can register and log in.
@Controller
@RequestMapping("/api/buyers")
final class BuyersController {
  private final AccountClient accounts;
  private final CartClient carts;

  BuyersController(AccountClient accounts, CartClient carts) {
    this.accounts = accounts;
    this.carts = carts;
  }

  @PostMapping("/register")
  JsonResponse register(IdempotencyKey key, JsonBody body, HttpServletRequest request) {
    RegisteredAccount registered =
        accounts.register(AccountRole.BUYER, key, Credentials.of(body), ClientAddress.of(request));
    return JsonResponse.plain(201, registered).replayed(registered.replayed());
  }

  @PostMapping("/login")
  JsonResponse login(JsonBody body, HttpServletRequest request) {
    String token =
        accounts.login(AccountRole.BUYER, Credentials.of(body), ClientAddress.of(request));
    return JsonResponse.plain(200, new LoginView("logged in", token));
  }

  /// Ends the session. Its unsaved cart is deleted now if possible, else by the order service's
  /// next sweep.
  @PostMapping("/logout")
  JsonResponse logout(BuyerSession session, BearerToken token) {
    accounts.logout(token);
    carts.endSession(session);
    return JsonResponse.plain(200, new MessageView("logged out"));
  }
}
