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
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.carts.CardDetails;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.CartView;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.FormBody;
import toystore.frontend.items.ItemClient;

/// Pays for the cart with a card. The form is one purchase, however often it is sent. After an
/// error the card must be typed again: no page ever contains it.
@Controller
@RequestMapping("/market/checkout")
final class CheckoutController {
  private final CartClient carts;
  private final ItemClient items;
  private final PurchaseClient purchases;

  CheckoutController(CartClient carts, ItemClient items, PurchaseClient purchases) {
    this.carts = carts;
    this.items = items;
    this.purchases = purchases;
  }

  @GetMapping
  ModelAndView checkout(@RequestAttribute PageSession session) {
    CartView cart = carts.cart(session.buyer());
    return MarketPage.of("checkout", model(cart, CartTotal.of(cart), Map.of()));
  }

  @PostMapping
  ModelAndView purchase(
      @RequestAttribute PageSession session, FormBody form, RedirectAttributes next) {
    try {
      checkTotal(carts.cart(session.buyer()), form.text("total"));
      purchases.purchase(session.buyer(), form.key(), card(form));
      return MarketPage.redirect("/market/purchases", Notice.PURCHASED, next);
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
  private ModelAndView again(PageSession session, FormBody form, ApiException error) {
    CartView cart = new CartView(List.of());
    try {
      cart = carts.cart(session.buyer());
    } catch (ApiException e) {
      // the form is shown without the cart
    }
    boolean repeats = error.status() >= 500 && cart.cart().isEmpty();
    String total = repeats ? form.optionalText("total").orElse("") : CartTotal.of(cart);
    return MarketPage.again(
        "checkout", error, form, model(cart, total, changedPrices(error, cart)));
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
      CartView cart, String total, Map<Long, BigDecimal> changed) {
    return Map.of("cart", cart, "total", total, "changed", changed);
  }
}
