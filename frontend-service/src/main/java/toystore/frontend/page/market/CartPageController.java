package toystore.frontend.page.market;

import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.CartView;
import toystore.frontend.carts.SeenCart;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;
import toystore.frontend.page.Price;

/// The cart of a buyer's session.
@Controller
@RequestMapping("/market/cart")
final class CartPageController {
  private static final String PATH = "/market/cart";

  private final CartClient carts;
  private final MarketRenderer renderer;

  CartPageController(CartClient carts, MarketRenderer renderer) {
    this.carts = carts;
    this.renderer = renderer;
  }

  @GetMapping
  HttpReply cart(@RequestAttribute PageSession session) {
    return renderer.page(session, PageMessage.NONE, "cart", model(session));
  }

  @PostMapping("/{id}/remove")
  HttpReply remove(@RequestAttribute PageSession session, @PathVariable String id, FormBody form) {
    return change(
        session,
        PATH,
        Notice.REMOVED_FROM_CART,
        () -> carts.remove(session.buyer(), id, form.count("quantity")));
  }

  /// The form says which price the buyer saw.
  @PostMapping("/{id}/price")
  HttpReply acceptPrice(
      @RequestAttribute PageSession session, @PathVariable String id, FormBody form) {
    return change(
        session,
        "/market/checkout",
        Notice.PRICE_ACCEPTED,
        () -> carts.acceptPrice(session.buyer(), id, form.priceCents("price")));
  }

  @PostMapping("/clear")
  HttpReply clear(@RequestAttribute PageSession session) {
    return change(session, PATH, Notice.CART_CLEARED, () -> carts.clear(session.buyer()));
  }

  @PostMapping("/save")
  HttpReply save(@RequestAttribute PageSession session, FormBody form) {
    try {
      carts.save(session.buyer(), form.key());
      return renderer.redirect(PATH, Notice.CART_SAVED);
    } catch (ApiException e) {
      String key = MarketRenderer.keyAfter(e, form);
      return renderer.page(session, PageMessage.of(e), key, "cart", model(session));
    }
  }

  private HttpReply change(PageSession session, String next, Notice notice, Runnable change) {
    try {
      change.run();
      return renderer.redirect(next, notice);
    } catch (ApiException e) {
      return renderer.page(session, PageMessage.ofUnkeyed(e), "cart", model(session));
    }
  }

  private Map<String, Object> model(PageSession session) {
    CartView cart = carts.cart(session.buyer());
    return Map.of("cart", cart, "total", Price.of(SeenCart.of(cart).total()));
  }
}
