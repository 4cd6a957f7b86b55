package toystore.frontend.accounts;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.ClientAddress;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.MessageView;
import toystore.frontend.http.PathId;
import toystore.frontend.http.SellerSession;
import toystore.frontend.http.UserSession;

/// `/api/sellers`: accounts of sellers. Anyone can register and log in.
@Controller
@RequestMapping("/api/sellers")
final class SellersController {
  private final AccountClient accounts;
  private final PurchaseClient purchases;

  SellersController(AccountClient accounts, PurchaseClient purchases) {
    this.accounts = accounts;
    this.purchases = purchases;
  }

  @PostMapping("/register")
  JsonResponse register(IdempotencyKey key, JsonBody body, HttpServletRequest request) {
    RegisteredAccount registered =
        accounts.register(AccountRole.SELLER, key, Credentials.of(body), ClientAddress.of(request));
    return JsonResponse.plain(201, registered).replayed(registered.replayed());
  }

  @PostMapping("/login")
  JsonResponse login(JsonBody body, HttpServletRequest request) {
    String token =
        accounts.login(AccountRole.SELLER, Credentials.of(body), ClientAddress.of(request));
    return JsonResponse.plain(200, new LoginView("logged in", token));
  }

  @PostMapping("/logout")
  JsonResponse logout(SellerSession session, BearerToken token) {
    accounts.logout(token);
    return JsonResponse.plain(200, new MessageView("logged out"));
  }

  @GetMapping("/rating")
  JsonResponse ownRating(SellerSession session) {
    return rating(session.sellerId());
  }

  @GetMapping("/{id}/rating")
  JsonResponse rating(UserSession session, @PathVariable String id) {
    return rating(
        PathId.parse(id, ApiException.of(ApiErrorReason.SELLER_NOT_FOUND, "seller not found")));
  }

  private JsonResponse rating(long seller) {
    RatingView rating = accounts.sellerRating(seller);
    return JsonResponse.plain(200, new SellerRatingView(rating, purchases.soldUnits(seller)));
  }
}
