package toystore.frontend.page.market;

import java.math.BigDecimal;
import toystore.frontend.carts.CartView;
import toystore.frontend.page.Price;

/// What a buyer pays for a cart, as pages show it.
final class CartTotal {
  private CartTotal() {}

  static String of(CartView cart) {
    return Price.of(
        cart.cart().stream()
            .map(line -> line.price().multiply(BigDecimal.valueOf(line.quantity())))
            .reduce(BigDecimal.ZERO, BigDecimal::add));
  }
}
