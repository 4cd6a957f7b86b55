package toystore.exchange.engine;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Endless commands that keep about 10,000 orders open. Each order is canceled at a random time; a
/// tenth execute at once. 100 accounts trade all symbols around one price. The commands depend only
/// on the seed.
final class OrderFlow {
  static final int OPEN_ORDERS = 10_000;
  private static final int BATCH = 500;
  private static final int ACCOUNTS = 100;
  private static final long PRICE_E4 = 100_0000;
  private static final long TICK_E4 = 100;

  private final MatchingEngine engine;
  private final SplittableRandom random;
  private final List<String> symbols;
  private final long[] placed;
  private int slot = -1;
  private long commands;

  OrderFlow(MatchingEngine engine, int symbolCount, int openOrders, long seed) {
    this.engine = engine;
    random = new SplittableRandom(seed);
    symbols = IntStream.range(0, symbolCount).mapToObj(i -> "SYM" + i).toList();
    placed = new long[openOrders + openOrders / 8]; // some are executed before they are canceled
    for (long account = 1; account <= ACCOUNTS; account++) {
      engine.createAccount(null, null, Long.MAX_VALUE / 4);
      for (String symbol : symbols) {
        engine.addShares(account, symbol, 1_000_000_000_000L);
      }
    }
    for (int i = 0; i < placed.length; i++) {
      placed[i] = place();
    }
    engine.takeChanges();
  }

  /// Cancels an order and, next time, places one instead. Every 500 commands the changes are taken.
  void command() {
    commands++;
    if (slot < 0) {
      slot = random.nextInt(placed.length);
      engine.cancelOrder(placed[slot], commands);
    } else {
      placed[slot] = place();
      slot = -1;
    }
    if (commands % BATCH == 0) {
      engine.takeChanges();
    }
  }

  private long place() {
    return number(order());
  }

  private EngineOutcome<LimitOrder> order() {
    int bits = random.nextInt();
    Side side = (bits & 1) == 0 ? Side.BUY : Side.SELL;
    long ticks = 1 + random.nextInt(1_000) - 100; // less than 1: at or beyond the middle
    return engine.placeOrder(
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
