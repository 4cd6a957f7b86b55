package toystore.exchange.engine;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Endless commands that keep about 10,000 orders open, for measurements. Each order is canceled at
/// a random time; a tenth of the orders are priced to execute at once. 100 accounts trade all
/// symbols around one price. The commands depend only on the seed.
final class OrderFlow {
  static final int OPEN_ORDERS = 10_000;
  private static final int BATCH = 500;
  private static final int ACCOUNTS = 100;
  private static final long PRICE_E4 = 100_0000;
  private static final long TICK_E4 = 100;

  private final Target target;
  private final SplittableRandom random;
  private final List<String> symbols;
  private final long[] placed;
  private int slot = -1;
  private long commands;

  /// Where the commands go.
  interface Target {
    EngineOutcome<CashAccount> createAccount(long balanceE8);

    EngineOutcome<Position> addShares(long account, String symbol, long sharesE4);

    EngineOutcome<LimitOrder> placeOrder(
        long account, String symbol, Side side, long sharesE4, long limitE4, long time);

    EngineOutcome<LimitOrder> cancelOrder(long number, long time);

    /// Ends a batch.
    void takeChanges();

    static Target of(MatchingEngine engine) {
      return of(engine, _ -> {});
    }

    /// @param changes receives the changes of each batch
    static Target of(MatchingEngine engine, Consumer<EngineChanges> changes) {
      return new Target() {
        @Override
        public EngineOutcome<CashAccount> createAccount(long balanceE8) {
          return engine.createAccount(null, null, balanceE8);
        }

        @Override
        public EngineOutcome<Position> addShares(long account, String symbol, long sharesE4) {
          return engine.addShares(account, symbol, sharesE4);
        }

        @Override
        public EngineOutcome<LimitOrder> placeOrder(
            long account, String symbol, Side side, long sharesE4, long limitE4, long time) {
          return engine.placeOrder(account, symbol, side, sharesE4, limitE4, time);
        }

        @Override
        public EngineOutcome<LimitOrder> cancelOrder(long number, long time) {
          return engine.cancelOrder(number, time);
        }

        @Override
        public void takeChanges() {
          changes.accept(engine.takeChanges());
        }
      };
    }

    static Target of(NaiveExchange naive) {
      return new Target() {
        @Override
        public EngineOutcome<CashAccount> createAccount(long balanceE8) {
          return naive.createAccount(null, null, balanceE8);
        }

        @Override
        public EngineOutcome<Position> addShares(long account, String symbol, long sharesE4) {
          return naive.addShares(account, symbol, sharesE4);
        }

        @Override
        public EngineOutcome<LimitOrder> placeOrder(
            long account, String symbol, Side side, long sharesE4, long limitE4, long time) {
          return naive.placeOrder(account, symbol, side, sharesE4, limitE4, time);
        }

        @Override
        public EngineOutcome<LimitOrder> cancelOrder(long number, long time) {
          return naive.cancelOrder(number, time);
        }

        @Override
        public void takeChanges() {} // it keeps none
      };
    }
  }

  /// Creates the accounts and the open orders.
  OrderFlow(Target target, int symbolCount, int openOrders, long seed) {
    this.target = target;
    random = new SplittableRandom(seed);
    symbols = IntStream.range(0, symbolCount).mapToObj(i -> "SYM" + i).toList();
    placed = new long[openOrders + openOrders / 8]; // some are executed before they are canceled
    for (long account = 1; account <= ACCOUNTS; account++) {
      target.createAccount(Long.MAX_VALUE / 4);
      for (String symbol : symbols) {
        target.addShares(account, symbol, 1_000_000_000_000L);
      }
    }
    for (int i = 0; i < placed.length; i++) {
      placed[i] = place();
    }
    target.takeChanges();
  }

  /// Cancels an order and, next time, places one instead. Every 500 commands the changes are taken.
  void command() {
    next();
    endBatch();
  }

  /// As [#command()], without taking the changes.
  EngineOutcome<LimitOrder> next() {
    commands++;
    if (slot < 0) {
      slot = random.nextInt(placed.length);
      return target.cancelOrder(placed[slot], commands);
    }
    EngineOutcome<LimitOrder> outcome = order();
    placed[slot] = number(outcome);
    slot = -1;
    return outcome;
  }

  /// Ends a batch if 500 commands have passed.
  void endBatch() {
    if (commands % BATCH == 0) {
      target.takeChanges();
    }
  }

  private long place() {
    return number(order());
  }

  private EngineOutcome<LimitOrder> order() {
    int bits = random.nextInt();
    Side side = (bits & 1) == 0 ? Side.BUY : Side.SELL;
    long ticks = 1 + random.nextInt(1_000) - 100; // less than 1: at or beyond the middle
    return target.placeOrder(
        1 + random.nextInt(ACCOUNTS),
        symbols.get(random.nextInt(symbols.size())),
        side,
        10_000L * (1 + random.nextInt(100)),
        PRICE_E4 + (side == Side.BUY ? -ticks : ticks) * TICK_E4,
        commands);
  }

  private static long number(EngineOutcome<LimitOrder> outcome) {
    return switch (outcome) {
      case EngineOutcome.Accepted<LimitOrder>(LimitOrder order) -> order.number();
      case EngineOutcome.Refused<LimitOrder>(EngineRefusal reason) ->
          throw new IllegalStateException("order was refused: " + reason);
    };
  }
}
