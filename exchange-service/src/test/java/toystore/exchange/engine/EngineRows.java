package toystore.exchange.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a service would have stored: the latest record of each number, from the changes that were
/// taken.
final class EngineRows {
  static final EngineBounds UNBOUNDED =
      new EngineBounds(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE);

  final Map<Long, CashAccount> accounts = new TreeMap<>();
  final Map<Long, Symbol> symbols = new TreeMap<>();
  final Map<Long, Position> positions = new TreeMap<>();
  final Map<Long, LimitOrder> orders = new TreeMap<>();
  final List<MatchedTrade> trades = new ArrayList<>();

  void apply(EngineChanges changes) {
    changes.accounts().forEach(it -> accounts.put(it.number(), it));
    changes.symbols().forEach(it -> symbols.put(it.number(), it));
    changes.positions().forEach(it -> positions.put(it.number(), it));
    changes.orders().forEach(it -> orders.put(it.number(), it));
    trades.addAll(changes.trades());
  }

  /// As after a restart.
  MatchingEngine load() {
    return load(UNBOUNDED);
  }

  MatchingEngine load(EngineBounds bounds) {
    var loader = new EngineLoader(bounds);
    symbols.values().forEach(loader::load);
    accounts.values().forEach(loader::load);
    positions.values().forEach(loader::load);
    orders.values().stream().filter(it -> it.openE4() > 0).forEach(loader::load);
    return loader.engine(orders.size(), trades.size());
  }
}
