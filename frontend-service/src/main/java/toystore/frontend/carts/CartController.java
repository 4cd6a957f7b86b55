package toystore.frontend.carts;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.NewPrice;
import toystore.frontend.http.paging.PageQuery;
import toystore.frontend.security.UserSession;

/// `/api/cart`: the cart of a buyer's session. `/api/purchases` buys it; `/api/buyers/purchases`
/// lists what the buyer bought.
@RestController
final class CartController {
  private final CartClient carts;

  CartController(CartClient carts) {
    this.carts = carts;
  }

  record NewCartLine(
      @Min(value = 1, message = "must be an integer from 1 to 9223372036854775807") long itemId,
      @Min(value = 1, message = Expected.COUNT) int quantity) {}

  record ChangedCartView(String message, List<CartView.Line> cart) {}

  @GetMapping("/api/cart")
  CartView cart(@AuthenticationPrincipal UserSession buyer) {
    return carts.cart(buyer);
  }

  @PostMapping("/api/cart/items")
  @ResponseStatus(HttpStatus.CREATED)
  ChangedCartView add(
      @AuthenticationPrincipal UserSession buyer,
      IdempotencyKey key,
      @Valid @RequestBody NewCartLine line) {
    return changed("added to the cart", carts.add(buyer, key, line.itemId(), line.quantity()));
  }

  @DeleteMapping("/api/cart/items/{id}")
  ChangedCartView remove(
      @AuthenticationPrincipal UserSession buyer,
      @PathVariable String id,
      @Valid @RequestBody Units removed) {
    return changed("removed from the cart", carts.remove(buyer, id, removed.quantity()));
  }

  @PutMapping("/api/cart/items/{id}/price")
  ChangedCartView acceptPrice(
      @AuthenticationPrincipal UserSession buyer,
      @PathVariable String id,
      @Valid @RequestBody NewPrice accepted) {
    return changed("price accepted", carts.acceptPrice(buyer, id, accepted.cents()));
  }

  @DeleteMapping("/api/cart")
  ChangedCartView clear(@AuthenticationPrincipal UserSession buyer) {
    return changed("cart cleared", carts.clear(buyer));
  }

  @PostMapping("/api/cart/save")
  ChangedCartView save(@AuthenticationPrincipal UserSession buyer, IdempotencyKey key) {
    return changed("cart saved", carts.save(buyer, key));
  }

  private static ChangedCartView changed(String message, CartView cart) {
    return new ChangedCartView(message, cart.cart());
  }

  record PurchaseConfirmation(String message, long itemsPurchased) {}

  @PostMapping("/api/purchases")
  @ResponseStatus(HttpStatus.CREATED)
  PurchaseConfirmation purchase(
      @AuthenticationPrincipal UserSession buyer,
      IdempotencyKey key,
      @Valid @RequestBody CardDetails body) {
    return new PurchaseConfirmation(
        "purchased", carts.purchase(buyer, key, body.card(), body.seen()));
  }

  @GetMapping("/api/buyers/purchases")
  PurchasesPage purchases(
      @AuthenticationPrincipal UserSession buyer,
      PageQuery page,
      @RequestParam(defaultValue = "") String order) {
    return carts.purchases(buyer, isNewestFirst(order), page.number(), page.size());
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
