package toystore.exchange.engine;

/// A position in the engine. One thread. Shares cannot overflow: only new shares and new buy orders
/// increase [#boundE4()], and they are refused if that would exceed `Long.MAX_VALUE`.
final class PositionState {
  final AccountState account;
  final OrderBook book;

  /// 0 until the account receives shares.
  long number;

  long sharesE4;
  long reservedE4;

  /// What open buy orders may bring.
  long expectedE4;

  boolean changed;

  /// Whether it is among the account's positions.
  boolean attached;

  PositionState(AccountState account, OrderBook book) {
    this.account = account;
    this.book = book;
  }

  /// The most shares that the account can have without further orders.
  long boundE4() {
    return sharesE4 + reservedE4 + expectedE4;
  }

  Position snapshot() {
    return new Position(number, account.number, book.symbol, sharesE4, reservedE4);
  }
}
