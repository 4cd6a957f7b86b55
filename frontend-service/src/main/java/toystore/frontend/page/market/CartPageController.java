package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.carts.CartClient;
import toystore.frontend.carts.CartView;
import toystore.frontend.carts.SeenCart;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.NewPrice;
import toystore.frontend.page.Price;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.security.UserSession;

/// The cart of a buyer's session.
@Controller
@RequestMapping("/market/cart")
final class CartPageController implements FormPage {
  private static final String PATH = "/market/cart";

  private final CartClient carts;

  CartPageController(CartClient carts) {
    this.carts = carts;
  }

  @Override
  @GetMapping
  public String page(UserSession buyer, HttpServletRequest request, Model model) {
    CartView cart = carts.cart(buyer);
    model.addAttribute("cart", cart);
    model.addAttribute("total", Price.of(SeenCart.of(cart).total()));
    return "market/cart";
  }

  @PostMapping("/{id}/remove")
  String remove(
      @AuthenticationPrincipal UserSession buyer,
      @PathVariable String id,
      @Valid @ModelAttribute Units removed) {
    carts.remove(buyer, id, removed.quantity());
    return Notice.REMOVED_FROM_CART.at(PATH);
  }

  /// The form says which price the buyer saw.
  @PostMapping("/{id}/price")
  String acceptPrice(
      @AuthenticationPrincipal UserSession buyer,
      @PathVariable String id,
      @Valid @ModelAttribute NewPrice accepted) {
    carts.acceptPrice(buyer, id, accepted.cents());
    return Notice.PRICE_ACCEPTED.at("/market/checkout");
  }

  @PostMapping("/clear")
  String clear(@AuthenticationPrincipal UserSession buyer) {
    carts.clear(buyer);
    return Notice.CART_CLEARED.at(PATH);
  }

  @PostMapping("/save")
  String save(@AuthenticationPrincipal UserSession buyer, @RequestParam IdempotencyKey key) {
    carts.save(buyer, key);
    return Notice.CART_SAVED.at(PATH);
  }
}
