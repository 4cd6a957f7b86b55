package toystore.frontend.accounts;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.http.Answer;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.ClientAddress;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.MessageView;
import toystore.frontend.http.PathId;
import toystore.frontend.http.SellerSession;
import toystore.frontend.http.UserSession;

/// `/api/sellers`: accounts of sellers. Anyone can register and log in.
@RestController
@RequestMapping("/api/sellers")
final class SellersController {
  private final AccountClient accounts;
  private final PurchaseClient purchases;

  SellersController(AccountClient accounts, PurchaseClient purchases) {
    this.accounts = accounts;
    this.purchases = purchases;
  }

  @PostMapping("/register")
  @ResponseStatus(HttpStatus.CREATED)
  Answer<RegisteredAccount> register(
      IdempotencyKey key, @Valid @RequestBody Credentials credentials, HttpServletRequest request) {
    return accounts.register(AccountRole.SELLER, key, credentials, ClientAddress.of(request));
  }

  @PostMapping("/login")
  LoginView login(@Valid @RequestBody Credentials credentials, HttpServletRequest request) {
    String token = accounts.login(AccountRole.SELLER, credentials, ClientAddress.of(request));
    return new LoginView("logged in", token);
  }

  @PostMapping("/logout")
  MessageView logout(SellerSession session, BearerToken token) {
    accounts.logout(token);
    return new MessageView("logged out");
  }

  @GetMapping("/rating")
  SellerRatingView ownRating(SellerSession session) {
    return rating(session.sellerId());
  }

  @GetMapping("/{id}/rating")
  SellerRatingView rating(UserSession session, @PathVariable String id) {
    return rating(
        PathId.parse(id, ApiException.of(ApiErrorReason.SELLER_NOT_FOUND, "seller not found")));
  }

  private SellerRatingView rating(long seller) {
    return new SellerRatingView(accounts.sellerRating(seller), purchases.soldUnits(seller));
  }
}
