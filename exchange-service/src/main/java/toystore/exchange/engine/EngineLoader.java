package toystore.exchange.engine;

/// Loads an engine from stored rows: symbols, accounts, positions and open orders, each in the
/// order of their numbers. Rows that do not fit together are an [IllegalStateException]. One
/// thread.
public final class EngineLoader {
  private final MatchingEngine engine;

  /// @param bounds of what is added later
  public EngineLoader(EngineBounds bounds) {
    engine = new MatchingEngine(bounds);
  }

  public void load(Symbol symbol) {
    requireNext("symbol", engine.books.size(), symbol.number());
    engine.books.put(symbol.name(), new OrderBook(symbol));
  }

  public void load(CashAccount account) {
    requireNext("account", engine.accounts.size(), account.number());
    engine.add(account);
  }

  public void load(Position loaded) {
    requireNext("position", engine.lastPosition, loaded.number());
    PositionState position = position(loaded.account(), loaded.symbol());
    position.number = ++engine.lastPosition;
    position.sharesE4 = loaded.sharesE4();
    position.reservedE4 = loaded.reservedE4();
  }

  /// Its cash or shares are already reserved in the loaded account or position.
  public void load(LimitOrder loaded) {
    if (loaded.number() <= engine.lastOrder || loaded.openE4() <= 0) {
      throw new IllegalStateException(
          "expected an open order with a number above "
              + engine.lastOrder
              + ", received "
              + loaded);
    }
    var order =
        new OpenOrder(
            loaded.number(),
            position(loaded.account(), loaded.symbol()),
            loaded.side(),
            loaded.sharesE4(),
            loaded.limitE4(),
            loaded.openedAt());
    order.openE4 = loaded.openE4();
    order.expect(order.openE4);
    engine.open(order);
    engine.orders.put(order.number, order);
    engine.lastOrder = order.number;
  }

  /// Call it once, after everything was loaded.
  ///
  /// @param lastOrder open or not; 0 if there is none
  /// @param lastTrade 0 if there is none
  public MatchingEngine engine(long lastOrder, long lastTrade) {
    engine.lastOrder = lastOrder;
    engine.lastTrade = lastTrade;
    return engine;
  }

  private static void requireNext(String what, long last, long number) {
    if (number != last + 1) {
      throw new IllegalStateException(
          "expected " + what + " " + (last + 1) + ", received " + what + " " + number);
    }
  }

  private PositionState position(long account, Symbol symbol) {
    AccountState owner = engine.find(account);
    OrderBook book = engine.books.get(symbol.name());
    if (owner == null || book == null) {
      throw new IllegalStateException("account " + account + " or " + symbol + " was not loaded");
    }
    return engine.attach(MatchingEngine.position(owner, book));
  }
}
