package toystore.exchange.engine;

/// Whether an order buys or sells.
public enum Side {
  BUY,
  SELL
}
