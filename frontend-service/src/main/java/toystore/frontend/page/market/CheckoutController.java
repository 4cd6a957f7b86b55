package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.BindParam;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.carts.CardDetails;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.CartView;
import toystore.frontend.carts.SeenCart;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.Secret;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.items.ItemClient;
import toystore.frontend.page.Price;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;
import toystore.platform.text.CardFields;

/// Pays for the cart with a card. The form is one purchase, however often it is sent. After an
/// error the card must be typed again: no page ever contains it.
@Controller
@RequestMapping("/market/checkout")
final class CheckoutController implements FormPage {
  private final CartClient carts;
  private final ItemClient items;

  CheckoutController(CartClient carts, ItemClient items) {
    this.carts = carts;
    this.items = items;
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

  /// After a refusal, it shows which prices have changed. If the purchase may have been made, the
  /// form offers to repeat it: the cart is empty then.
  @Override
  @GetMapping
  public String page(UserSession buyer, HttpServletRequest request, Model model) {
    var refusal = (ApiException) request.getAttribute(REFUSAL);
    CartView cart = cart(buyer, refusal);
    boolean repeats = refusal != null && refusal.status() >= 500 && cart.cart().isEmpty();
    SeenCart seen = repeats ? SeenCart.parse(request.getParameter("cart")) : SeenCart.of(cart);
    model.addAttribute("cart", cart);
    model.addAttribute("seen", seen.text());
    model.addAttribute("total", Price.of(seen.total()));
    model.addAttribute("changed", changedPrices(refusal, cart));
    return "market/checkout";
  }

  @PostMapping
  String purchase(
      @AuthenticationPrincipal UserSession buyer,
      @Valid @ModelAttribute CardForm form,
      @RequestParam IdempotencyKey key) {
    carts.purchase(buyer, key, form.fields(), SeenCart.parse(form.cart()));
    return Notice.PURCHASED.at("/market/purchases");
  }

  /// A refused form is shown without the cart if need be.
  private CartView cart(UserSession buyer, @Nullable ApiException refusal) {
    try {
      return carts.cart(buyer);
    } catch (ApiException e) {
      if (refusal == null) {
        throw e;
      }
      return new CartView(List.of());
    }
  }

  /// The current price of each line whose price has changed, by item, for the buyer to accept.
  private Map<Long, BigDecimal> changedPrices(@Nullable ApiException refusal, CartView cart) {
    var changed = new HashMap<Long, BigDecimal>();
    if (refusal != null && refusal.reason() == ErrorReason.PRICE_CHANGED) {
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
}
