package toystore.frontend.carts;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.PagedResponse;

/// `/api/purchases` buys the cart; `/api/buyers/purchases` lists what the buyer bought.
@Controller
final class PurchasesController {
  private final PurchaseClient purchases;

  PurchasesController(PurchaseClient purchases) {
    this.purchases = purchases;
  }

  @PostMapping("/api/purchases")
  JsonResponse purchase(BuyerSession buyer, IdempotencyKey key, JsonBody body) {
    PurchaseConfirmation purchased = purchases.purchase(buyer, key, CardDetails.of(body));
    return JsonResponse.plain(201, purchased).replayed(purchased.replayed());
  }

  @GetMapping("/api/buyers/purchases")
  JsonResponse purchases(
      BuyerSession buyer,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    return JsonResponse.plain(
        200,
        purchases.list(buyer, PagedResponse.parseAfter(after), PagedResponse.parseLimit(limit)));
  }
}
