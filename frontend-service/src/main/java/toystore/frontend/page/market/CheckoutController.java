package toystore.frontend.page.market;

import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.carts.CardDetails;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.CartView;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;

/// Pays for the cart with a card. The form is one purchase, however often it is sent. After an
/// error the card must be typed again: no page ever contains it.
@Controller
@RequestMapping("/market/checkout")
final class CheckoutController {
  private final CartClient carts;
  private final PurchaseClient purchases;
  private final MarketRenderer renderer;

  CheckoutController(CartClient carts, PurchaseClient purchases, MarketRenderer renderer) {
    this.carts = carts;
    this.purchases = purchases;
    this.renderer = renderer;
  }

  @GetMapping
  HttpReply checkout(@RequestAttribute PageSession session) {
    CartView cart = carts.cart(session.buyer());
    return renderer.page(session, PageMessage.NONE, "checkout", model(cart, CartTotal.of(cart)));
  }

  @PostMapping
  HttpReply purchase(@RequestAttribute PageSession session, FormBody form) {
    try {
      checkTotal(carts.cart(session.buyer()), form.text("total"));
      purchases.purchase(session.buyer(), form.key(), card(form));
      return MarketRenderer.redirect("/market/purchases", Notice.PURCHASED);
    } catch (ApiException e) {
      return again(session, form, e);
    }
  }

  /// The buyer may have changed the cart in another tab. An empty cart is no change: it was bought
  /// with this form, or is being bought.
  private static void checkTotal(CartView cart, String seen) {
    if (!cart.cart().isEmpty() && !CartTotal.of(cart).equals(seen)) {
      throw ApiException.of(
          ApiErrorReason.INVALID, "the cart has changed since you opened the page");
    }
  }

  private static CardDetails card(FormBody form) {
    return new CardDetails(
        form.text("card-holder").strip(),
        form.text("card-number").replaceAll("[ -]", ""),
        form.text("card-expiry").replace(" ", ""),
        form.text("card-code").strip());
  }

  /// If the purchase may have been made, the form offers to repeat it: the cart is empty then.
  private HttpReply again(PageSession session, FormBody form, ApiException error) {
    CartView cart = new CartView(List.of());
    try {
      cart = carts.cart(session.buyer());
    } catch (ApiException e) {
      // the form is shown without the cart
    }
    boolean repeats = error.status() >= 500 && cart.cart().isEmpty();
    String total = repeats ? form.optionalText("total").orElse("") : CartTotal.of(cart);
    return renderer.page(
        session,
        PageMessage.of(error),
        MarketRenderer.keyAfter(error, form),
        "checkout",
        model(cart, total));
  }

  private static Map<String, Object> model(CartView cart, String total) {
    return Map.of("cart", cart, "total", total);
  }
}
