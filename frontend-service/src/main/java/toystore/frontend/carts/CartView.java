package toystore.frontend.carts;

import java.math.BigDecimal;
import java.util.List;

/// The JSON view of a session's cart.
public record CartView(List<Line> cart) {

  /// @param saved whether the saved cart has the same line
  /// @param price unit price when the item was added, or that the buyer accepted since; the buyer
  ///   is charged this price, or nothing
  public record Line(long itemId, long quantity, boolean saved, String name, BigDecimal price) {}
}
