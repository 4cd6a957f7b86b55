package toystore.frontend.page.market;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.BindParam;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.carts.CardDetails;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.CartView;
import toystore.frontend.carts.PurchaseClient;
import toystore.frontend.carts.SeenCart;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.Expected;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.InvalidRequest;
import toystore.frontend.http.Secret;
import toystore.frontend.items.ItemClient;
import toystore.frontend.page.Price;
import toystore.platform.text.CardFields;

/// Pays for the cart with a card. The form is one purchase, however often it is sent. After an
/// error the card must be typed again: no page ever contains it.
@Controller
@RequestMapping("/market/checkout")
final class CheckoutController extends MarketController {
  private final CartClient carts;
  private final ItemClient items;
  private final PurchaseClient purchases;
  private final InvalidRequest invalid;

  CheckoutController(
      CartClient carts, ItemClient items, PurchaseClient purchases, InvalidRequest invalid) {
    this.carts = carts;
    this.items = items;
    this.purchases = purchases;
    this.invalid = invalid;
  }

  /// Its text does not show the card.
  ///
  /// @param cart what the buyer saw
  record CardForm(
      @NotEmpty(message = Expected.TEXT) String cart,
      @BindParam("card-holder") @NotEmpty(message = Expected.TEXT, payload = Secret.class)
          String cardHolder,
      @BindParam("card-number") @NotEmpty(message = Expected.TEXT, payload = Secret.class)
          String cardNumber,
      @BindParam("card-expiry") @NotEmpty(message = Expected.TEXT, payload = Secret.class)
          String cardExpiry,
      @BindParam("card-code") @NotEmpty(message = Expected.TEXT, payload = Secret.class)
          String cardCode) {
    CardFields fields() {
      return CardDetails.card(
          cardHolder.strip(),
          cardNumber.replaceAll("[ -]", ""),
          cardExpiry.replace(" ", ""),
          cardCode.strip());
    }

    @Override
    public String toString() {
      return "CardForm";
    }
  }

  @GetMapping
  ModelAndView checkout(@RequestAttribute PageSession session) {
    CartView cart = carts.cart(session.buyer());
    return MarketPage.of("checkout", model(cart, SeenCart.of(cart), Map.of()));
  }

  @PostMapping
  ModelAndView purchase(
      @RequestAttribute PageSession session,
      @Valid @ModelAttribute CardForm form,
      BindingResult result,
      @RequestParam IdempotencyKey key,
      RedirectAttributes next) {
    BuyerSession buyer = session.buyer();
    try {
      invalid.check(result, CardForm.class);
      purchases.purchase(buyer, key, form.fields(), SeenCart.parse(form.cart()));
      return MarketPage.redirect("/market/purchases", Notice.PURCHASED, next);
    } catch (ApiException e) {
      return again(session, form, key, e);
    }
  }

  /// If the purchase may have been made, the form offers to repeat it: the cart is empty then.
  private ModelAndView again(
      PageSession session, CardForm form, IdempotencyKey key, ApiException error) {
    CartView cart = new CartView(List.of());
    try {
      cart = carts.cart(session.buyer());
    } catch (ApiException e) {
      // the form is shown without the cart
    }
    boolean repeats = error.status() >= 500 && cart.cart().isEmpty();
    SeenCart seen = repeats ? SeenCart.parse(form.cart()) : SeenCart.of(cart);
    return MarketPage.again("checkout", error, key, model(cart, seen, changedPrices(error, cart)));
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
