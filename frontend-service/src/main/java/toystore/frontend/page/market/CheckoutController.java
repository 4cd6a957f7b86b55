package toystore.frontend.page.market;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.carts.CardDetails;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.CartView;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.carts.SeenCart;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;
import toystore.frontend.items.ItemClient;
import toystore.frontend.page.Price;
import toystore.platform.text.CardFields;

/// Pays for the cart with a card. The form is one purchase, however often it is sent. After an
/// error the card must be typed again: no page ever contains it.
@Controller
@RequestMapping("/market/checkout")
final class CheckoutController {
  private final CartClient carts;
  private final ItemClient items;
  private final PurchaseClient purchases;
  private final MarketRenderer renderer;

  CheckoutController(
      CartClient carts, ItemClient items, PurchaseClient purchases, MarketRenderer renderer) {
    this.carts = carts;
    this.items = items;
    this.purchases = purchases;
    this.renderer = renderer;
  }

  @GetMapping
  HttpReply checkout(@RequestAttribute PageSession session) {
    CartView cart = carts.cart(session.buyer());
    return renderer.page(
        session, PageMessage.NONE, "checkout", model(cart, SeenCart.of(cart), Map.of()));
  }

  @PostMapping
  HttpReply purchase(@RequestAttribute PageSession session, FormBody form) {
    try {
      purchases.purchase(
          session.buyer(), form.key(), card(form), SeenCart.parse(form.text("cart")));
      return renderer.redirect("/market/purchases", Notice.PURCHASED);
    } catch (ApiException e) {
      return again(session, form, e);
    }
  }

  private static CardFields card(FormBody form) {
    return CardDetails.of(
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
    SeenCart seen = repeats ? SeenCart.parse(form.text("cart")) : SeenCart.of(cart);
    return renderer.page(
        session,
        PageMessage.of(error),
        MarketRenderer.keyAfter(error, form),
        "checkout",
        model(cart, seen, changedPrices(error, cart)));
  }

  /// The current price of each line whose price has changed, by item, for the buyer to accept.
  private Map<Long, BigDecimal> changedPrices(ApiException error, CartView cart) {
    var changed = new HashMap<Long, BigDecimal>();
    if (error.reason() == ApiErrorReason.PRICE_CHANGED) {
      for (CartView.Line line : cart.cart()) {
        price(line.itemId())
            .filter(current -> current.compareTo(line.price()) != 0)
            .ifPresent(current -> changed.put(line.itemId(), current));
      }
    }
    return changed;
  }

  private Optional<BigDecimal> price(long item) {
    try {
      return Optional.of(items.find(Long.toString(item)).price());
    } catch (ApiException e) {
      return Optional.empty(); // the next attempt to pay tells the buyer
    }
  }

  private static Map<String, Object> model(
      CartView cart, SeenCart seen, Map<Long, BigDecimal> changed) {
    return Map.of(
        "cart", cart, "seen", seen.text(), "total", Price.of(seen.total()), "changed", changed);
  }
}
