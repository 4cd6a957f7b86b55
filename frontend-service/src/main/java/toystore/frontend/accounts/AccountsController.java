package toystore.frontend.accounts;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.MessageView;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
import toystore.frontend.http.paging.PathId;
import toystore.frontend.http.request.ClientAddress;
import toystore.frontend.security.AccountRole;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;

/// `/api/buyers` and `/api/sellers`: accounts. Anyone can register and log in.
@RestController
final class AccountsController {
  private final AccountClient accounts;
  private final CartClient carts;
  private final PurchaseClient purchases;

  AccountsController(AccountClient accounts, CartClient carts, PurchaseClient purchases) {
    this.accounts = accounts;
    this.carts = carts;
    this.purchases = purchases;
  }

  /// The JSON view of a login. Its text does not show the token.
  record LoginView(String message, String token) {
    @Override
    public String toString() {
      return "LoginView";
    }
  }

  @PostMapping({"/api/buyers/register", "/api/sellers/register"})
  @ResponseStatus(HttpStatus.CREATED)
  KeyedAnswer<RegisteredAccount> register(
      IdempotencyKey key, @Valid @RequestBody Credentials credentials, HttpServletRequest request) {
    return accounts.register(role(request), key, credentials, ClientAddress.of(request));
  }

  @PostMapping({"/api/buyers/login", "/api/sellers/login"})
  LoginView login(@Valid @RequestBody Credentials credentials, HttpServletRequest request) {
    String token = accounts.login(role(request), credentials, ClientAddress.of(request));
    return new LoginView("logged in", token);
  }

  private static AccountRole role(HttpServletRequest request) {
    return request.getServletPath().startsWith("/api/buyers/")
        ? AccountRole.BUYER
        : AccountRole.SELLER;
  }

  /// Ends the session. A buyer's unsaved cart is deleted now if possible, else by the order
  /// service's next sweep.
  @PostMapping({"/api/buyers/logout", "/api/sellers/logout"})
  MessageView logout(@AuthenticationPrincipal UserSession session) {
    accounts.logout(session.token());
    if (session.isBuyer()) {
      carts.endSession(session);
    }
    return new MessageView("logged out");
  }

  @GetMapping("/api/sellers/rating")
  SellerRatingView ownRating(@AuthenticationPrincipal UserSession seller) {
    return rating(seller.accountId());
  }

  @GetMapping("/api/sellers/{id}/rating")
  SellerRatingView rating(@PathVariable String id) {
    return rating(
        PathId.parse(id, ApiException.of(ErrorReason.SELLER_NOT_FOUND, "seller not found")));
  }

  private SellerRatingView rating(long seller) {
    return new SellerRatingView(
        accounts.sellerRating(seller), purchases.soldUnits(seller, List.of()).all());
  }
}
