package toystore.frontend.carts;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
import toystore.frontend.http.money.NewPrice;
import toystore.frontend.security.UserSession;

/// `/api/cart`: the cart of a buyer's session.
@RestController
@RequestMapping("/api/cart")
final class CartController {
  private final CartClient carts;

  CartController(CartClient carts) {
    this.carts = carts;
  }

  record NewCartLine(
      @Min(value = 1, message = "must be an integer from 1 to 9223372036854775807") long itemId,
      @Min(value = 1, message = Expected.COUNT) int quantity) {}

  @GetMapping
  CartView cart(@AuthenticationPrincipal UserSession buyer) {
    return carts.cart(buyer);
  }

  @PostMapping("/items")
  @ResponseStatus(HttpStatus.CREATED)
  KeyedAnswer<ChangedCartView> add(
      @AuthenticationPrincipal UserSession buyer,
      IdempotencyKey key,
      @Valid @RequestBody NewCartLine line) {
    return changed("added to the cart", carts.add(buyer, key, line.itemId(), line.quantity()));
  }

  @DeleteMapping("/items/{id}")
  KeyedAnswer<ChangedCartView> remove(
      @AuthenticationPrincipal UserSession buyer,
      @PathVariable String id,
      @Valid @RequestBody Units removed) {
    return changed("removed from the cart", carts.remove(buyer, id, removed.quantity()));
  }

  /// Accepts the current price of an item in the cart.
  @PutMapping("/items/{id}/price")
  KeyedAnswer<ChangedCartView> acceptPrice(
      @AuthenticationPrincipal UserSession buyer,
      @PathVariable String id,
      @Valid @RequestBody NewPrice accepted) {
    return changed("price accepted", carts.acceptPrice(buyer, id, accepted.cents()));
  }

  @DeleteMapping
  KeyedAnswer<ChangedCartView> clear(@AuthenticationPrincipal UserSession buyer) {
    return changed("cart cleared", carts.clear(buyer));
  }

  @PostMapping("/save")
  KeyedAnswer<ChangedCartView> save(
      @AuthenticationPrincipal UserSession buyer, IdempotencyKey key) {
    return changed("cart saved", carts.save(buyer, key));
  }

  private static KeyedAnswer<ChangedCartView> changed(String message, KeyedAnswer<CartView> cart) {
    return cart.map(it -> new ChangedCartView(message, it.cart()));
  }
}
