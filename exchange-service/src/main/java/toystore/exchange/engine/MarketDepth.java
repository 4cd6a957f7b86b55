package toystore.exchange.engine;

import java.util.List;

/// The open shares of a symbol by price, the best price first.
public record MarketDepth(Symbol symbol, List<Level> bids, List<Level> asks) {

  /// @param sharesE4 open, of all orders with this price
  public record Level(long priceE4, long sharesE4, int orders) {}
}
