package toystore.frontend.carts;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.MessageView;

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
    boolean replayed = carts.add(buyer, key, itemId, body.count("quantity"));
    return message(201, "added to the cart").replayed(replayed);
  }

  @DeleteMapping("/items/{id}")
  JsonResponse remove(BuyerSession buyer, @PathVariable String id, JsonBody body) {
    carts.remove(buyer, id, body.allowOnly("quantity").count("quantity"));
    return message(200, "removed from the cart");
  }

  @DeleteMapping
  JsonResponse clear(BuyerSession buyer) {
    carts.clear(buyer);
    return message(200, "cart cleared");
  }

  @PostMapping("/save")
  JsonResponse save(BuyerSession buyer, IdempotencyKey key) {
    return message(200, "cart saved").replayed(carts.save(buyer, key));
  }

  private static JsonResponse message(int status, String message) {
    return JsonResponse.plain(status, new MessageView(message));
  }
}
