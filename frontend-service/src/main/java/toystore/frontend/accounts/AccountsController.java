package toystore.frontend.accounts;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.carts.CartClient;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.MessageView;
import toystore.frontend.http.key.IdempotencyKey;
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

  AccountsController(AccountClient accounts, CartClient carts) {
    this.accounts = accounts;
    this.carts = carts;
  }

  /// The JSON view of a registration. Clients expect a token as after a login; it is always null.
  ///
  /// @param id from 1, in order of registration in this role
  record RegisteredAccount(String message, @JsonInclude @Nullable String token, long id) {}

  /// @param rating the sum over the seller's items
  /// @param itemsSold units of captured purchases
  record SellerRatingView(AccountClient.RatingView rating, long itemsSold) {}

  /// The JSON view of a login. Its text does not show the token.
  record LoginView(String message, String token) {
    @Override
    public String toString() {
      return "LoginView";
    }
  }

  @PostMapping({"/api/buyers/register", "/api/sellers/register"})
  @ResponseStatus(HttpStatus.CREATED)
  RegisteredAccount register(
      IdempotencyKey key, @Valid @RequestBody Credentials credentials, HttpServletRequest request) {
    AccountRole role = role(request);
    long id = accounts.register(role, key, credentials, ClientAddress.of(request));
    return new RegisteredAccount(role.word() + " registered", null, id);
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

  @PostMapping({"/api/buyers/logout", "/api/sellers/logout"})
  MessageView logout(@AuthenticationPrincipal UserSession session) {
    accounts.logout(session);
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
        accounts.sellerRating(seller), carts.soldUnits(seller, List.of()).all());
  }
}
