package toystore.frontend.page.market;

import jakarta.validation.Valid;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.CartView;
import toystore.frontend.carts.SeenCart;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.InvalidRequest;
import toystore.frontend.http.NewPrice;
import toystore.frontend.http.Units;
import toystore.frontend.page.Price;

/// The cart of a buyer's session.
@Controller
@RequestMapping("/market/cart")
final class CartPageController extends MarketController {
  private static final String PATH = "/market/cart";

  private final CartClient carts;
  private final InvalidRequest invalid;

  CartPageController(CartClient carts, InvalidRequest invalid) {
    this.carts = carts;
    this.invalid = invalid;
  }

  @GetMapping
  ModelAndView cart(@RequestAttribute PageSession session) {
    return MarketPage.of("cart", model(session));
  }

  @PostMapping("/{id}/remove")
  ModelAndView remove(
      @RequestAttribute PageSession session,
      @PathVariable String id,
      @Valid @ModelAttribute Units removed,
      BindingResult result,
      RedirectAttributes next) {
    return change(
        session,
        next,
        PATH,
        Notice.REMOVED_FROM_CART,
        () -> {
          invalid.check(result, Units.class);
          carts.remove(session.buyer(), id, removed.quantity());
        });
  }

  /// The form says which price the buyer saw.
  @PostMapping("/{id}/price")
  ModelAndView acceptPrice(
      @RequestAttribute PageSession session,
      @PathVariable String id,
      @Valid @ModelAttribute NewPrice accepted,
      BindingResult result,
      RedirectAttributes next) {
    return change(
        session,
        next,
        "/market/checkout",
        Notice.PRICE_ACCEPTED,
        () -> {
          invalid.check(result, NewPrice.class);
          carts.acceptPrice(session.buyer(), id, accepted.cents());
        });
  }

  @PostMapping("/clear")
  ModelAndView clear(@RequestAttribute PageSession session, RedirectAttributes next) {
    return change(session, next, PATH, Notice.CART_CLEARED, () -> carts.clear(session.buyer()));
  }

  @PostMapping("/save")
  ModelAndView save(
      @RequestAttribute PageSession session,
      @RequestParam IdempotencyKey key,
      RedirectAttributes next) {
    try {
      carts.save(session.buyer(), key);
      return MarketPage.redirect(PATH, Notice.CART_SAVED, next);
    } catch (ApiException e) {
      return MarketPage.again("cart", e, key, model(session));
    }
  }

  private ModelAndView change(
      PageSession session, RedirectAttributes next, String path, Notice notice, Runnable change) {
    try {
      change.run();
      return MarketPage.redirect(path, notice, next);
    } catch (ApiException e) {
      return MarketPage.of(PageMessage.ofUnkeyed(e), "cart", model(session));
    }
  }

  private Map<String, Object> model(PageSession session) {
    CartView cart = carts.cart(session.buyer());
    return Map.of("cart", cart, "total", Price.of(SeenCart.of(cart).total()));
  }
}
