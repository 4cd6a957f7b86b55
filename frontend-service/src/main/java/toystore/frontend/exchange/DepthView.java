package toystore.frontend.exchange;

import java.util.List;

/// The JSON view of a symbol's open shares by price: the best 100 prices of each side, the best
/// first.
public record DepthView(String symbol, List<LevelView> bids, List<LevelView> asks) {

  /// @param shares open shares of all orders with this price
  /// @param orders number of these orders
  public record LevelView(String price, String shares, int orders) {}
}
