package toystore.frontend.carts;

import jakarta.validation.Valid;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
import toystore.frontend.http.paging.PageQuery;
import toystore.frontend.security.UserSession;

/// `/api/purchases` buys the cart; `/api/buyers/purchases` lists what the buyer bought.
@RestController
final class PurchasesController {
  private final PurchaseClient purchases;

  PurchasesController(PurchaseClient purchases) {
    this.purchases = purchases;
  }

  @PostMapping("/api/purchases")
  @ResponseStatus(HttpStatus.CREATED)
  KeyedAnswer<PurchaseConfirmation> purchase(
      @AuthenticationPrincipal UserSession buyer,
      IdempotencyKey key,
      @Valid @RequestBody CardDetails body) {
    return purchases.purchase(buyer, key, body.card(), body.seen());
  }

  @GetMapping("/api/buyers/purchases")
  PurchasesPage purchases(
      @AuthenticationPrincipal UserSession buyer,
      PageQuery page,
      @RequestParam(defaultValue = "") String order) {
    return purchases.list(buyer, isNewestFirst(order), page.number(), page.size());
  }

  private static boolean isNewestFirst(String order) {
    return switch (order) {
      case "", "oldest" -> false;
      case "newest" -> true;
      default ->
          throw ApiException.badRequest(
              "order must be oldest or newest, got " + ApiException.shorten(order));
    };
  }
}
