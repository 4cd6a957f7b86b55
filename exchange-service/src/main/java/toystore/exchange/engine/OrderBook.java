package toystore.exchange.engine;

/// The open orders of one symbol. The best bid is always below the best ask. One thread.
final class OrderBook {
  final Symbol symbol;
  private final BookSide bids = new BookSide(Side.BUY);
  private final BookSide asks = new BookSide(Side.SELL);
  boolean changed;

  OrderBook(Symbol symbol) {
    this.symbol = symbol;
  }

  BookSide side(Side side) {
    return side == Side.BUY ? bids : asks;
  }

  BookSide opposite(Side side) {
    return side == Side.BUY ? asks : bids;
  }

  MarketDepth depth(int levels) {
    return new MarketDepth(symbol, bids.depth(levels), asks.depth(levels));
  }
}
