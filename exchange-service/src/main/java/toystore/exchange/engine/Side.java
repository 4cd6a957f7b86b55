package toystore.exchange.engine;

public enum Side {
  BUY,
  SELL
}
