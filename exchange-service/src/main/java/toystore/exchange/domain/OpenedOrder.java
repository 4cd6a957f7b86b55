package toystore.exchange.domain;

import toystore.exchange.engine.LimitOrder;

/// What a command that places an order opens.
public sealed interface OpenedOrder {
  long number();

  /// An order right after a command, or at a query.
  ///
  /// @param trades of an order that was just opened: the first ones that it made at once; none over
  ///   XML, whose answer does not show them
  record OrderWithTrades(LimitOrder order, TradePage trades) implements OpenedOrder {
    @Override
    public long number() {
      return order.number();
    }
  }

  /// Opened by an earlier request with the same key. A reader reads it.
  record EarlierOrder(long number) implements OpenedOrder {}
}
