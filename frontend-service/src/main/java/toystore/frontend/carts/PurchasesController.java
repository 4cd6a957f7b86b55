package toystore.frontend.carts;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.ApiException;
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
    body.allowOnly("card_holder_name", "card_number", "expiration_date", "security_code", "cart");
    SeenCart seen = body.has("cart") ? SeenCart.of(body) : null;
    PurchaseConfirmation purchased = purchases.purchase(buyer, key, CardDetails.of(body), seen);
    return JsonResponse.plain(201, purchased).replayed(purchased.replayed());
  }

  @GetMapping("/api/buyers/purchases")
  JsonResponse purchases(
      BuyerSession buyer,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit,
      @RequestParam(defaultValue = "") String order) {
    return JsonResponse.plain(
        200,
        purchases.list(
            buyer,
            isNewestFirst(order),
            PagedResponse.parseAfter(after),
            PagedResponse.parseLimit(limit)));
  }

  private static boolean isNewestFirst(String order) {
    return switch (order) {
      case "", "oldest" -> false;
      case "newest" -> true;
      default ->
          throw ApiException.badRequest(
              "order must be oldest or newest, got " + JsonBody.shorten(order));
    };
  }
}
