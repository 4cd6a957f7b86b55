package toystore.frontend.carts;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;

/// `/api/cart`: the cart of a buyer's session.
@Controller
@RequestMapping("/api/cart")
final class CartController {
  private final CartClient carts;

  CartController(CartClient carts) {
    this.carts = carts;
  }

  @GetMapping
  JsonResponse cart(BuyerSession buyer) {
    return JsonResponse.plain(200, carts.cart(buyer));
  }

  @PostMapping("/items")
  JsonResponse add(BuyerSession buyer, IdempotencyKey key, JsonBody body) {
    body.allowOnly("item_id", "quantity");
    long itemId = body.integer("item_id", 1, Long.MAX_VALUE);
    return changed(201, "added to the cart", carts.add(buyer, key, itemId, body.count("quantity")));
  }

  @DeleteMapping("/items/{id}")
  JsonResponse remove(BuyerSession buyer, @PathVariable String id, JsonBody body) {
    int quantity = body.allowOnly("quantity").count("quantity");
    return changed(200, "removed from the cart", carts.remove(buyer, id, quantity));
  }

  /// Accepts the current price of an item in the cart.
  @PutMapping("/items/{id}/price")
  JsonResponse acceptPrice(BuyerSession buyer, @PathVariable String id, JsonBody body) {
    long cents = body.allowOnly("price").priceCents("price");
    return changed(200, "price accepted", carts.acceptPrice(buyer, id, cents));
  }

  @DeleteMapping
  JsonResponse clear(BuyerSession buyer) {
    return changed(200, "cart cleared", carts.clear(buyer));
  }

  @PostMapping("/save")
  JsonResponse save(BuyerSession buyer, IdempotencyKey key) {
    return changed(200, "cart saved", carts.save(buyer, key));
  }

  private static JsonResponse changed(int status, String message, CartClient.ChangedCart cart) {
    return JsonResponse.plain(status, new ChangedCartView(message, cart.view().cart()))
        .replayed(cart.replayed());
  }
}
