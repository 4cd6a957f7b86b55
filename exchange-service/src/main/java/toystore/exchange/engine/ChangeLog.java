package toystore.exchange.engine;

import java.util.ArrayList;
import java.util.List;

/// What changed since the changes were taken; each once. One thread.
final class ChangeLog {
  private final List<AccountState> accounts = new ArrayList<>();
  private final List<PositionState> positions = new ArrayList<>();
  private final List<OpenOrder> orders = new ArrayList<>();
  private final List<OrderBook> books = new ArrayList<>();
  private List<Symbol> symbols = new ArrayList<>();
  private List<MatchedTrade> trades = new ArrayList<>();

  void add(AccountState account) {
    if (!account.changed) {
      account.changed = true;
      accounts.add(account);
    }
  }

  void add(PositionState position) {
    if (!position.changed) {
      position.changed = true;
      positions.add(position);
    }
  }

  void add(OpenOrder order) {
    if (!order.changed) {
      order.changed = true;
      orders.add(order);
    }
  }

  void add(OrderBook book) {
    if (!book.changed) {
      book.changed = true;
      books.add(book);
    }
  }

  void add(Symbol symbol) {
    symbols.add(symbol);
  }

  void add(MatchedTrade trade) {
    trades.add(trade);
  }

  List<OpenOrder> orders() {
    return orders;
  }

  List<MatchedTrade> trades() {
    return trades;
  }

  EngineChanges take() {
    var changes =
        new EngineChanges(
            accounts.stream().map(AccountState::snapshot).toList(),
            symbols,
            positions.stream().map(PositionState::snapshot).toList(),
            orders.stream().map(OpenOrder::snapshot).toList(),
            trades,
            books.stream().map(it -> it.symbol).toList());
    accounts.forEach(it -> it.changed = false);
    positions.forEach(it -> it.changed = false);
    orders.forEach(it -> it.changed = false);
    books.forEach(it -> it.changed = false);
    accounts.clear();
    positions.clear();
    orders.clear();
    books.clear();
    symbols = new ArrayList<>();
    trades = new ArrayList<>();
    return changes;
  }
}
