package toystore.exchange.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Closed orders and trades leave the engine's memory. `-Dtoystore.engine.orders=10000000` is the
/// long form; `-Dtoystore.engine.symbols=N` spreads the orders over N symbols.
class MatchingEngineMemoryTest {
  private static final long ORDERS = Long.getLong("toystore.engine.orders", 200_000);
  private static final long HEAP_MIB = Long.getLong("toystore.engine.heap-mib", 64);
  private static final int SYMBOLS = Integer.getInteger("toystore.engine.symbols", 10);

  @Test
  void memoryStaysFlatHoweverManyOrdersWereClosed() {
    var flow =
        new OrderFlow(
            OrderFlow.Target.of(new MatchingEngine(EngineRows.UNBOUNDED)),
            SYMBOLS,
            OrderFlow.OPEN_ORDERS,
            1);
    commands(flow, 10L * OrderFlow.OPEN_ORDERS); // each first order is closed by now
    long before = usedBytes();
    long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    commands(flow, 2 * ORDERS); // half of the commands place an order
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
    long after = usedBytes();
    flow.command(); // the engine is reachable until here
    System.out.printf(
        "%d orders, live heap before %d kB, after %d kB; %.0f commands/s of CPU time%n",
        ORDERS, before / 1024, after / 1024, 2e9 * ORDERS / nanos);
    assertThat(after - before).isLessThan(5_000_000); // 200,000 leaked orders are more than 20 MB
  }

  /// At all default bounds at once.
  @Test
  void engineAtItsBoundsLeavesRoomInTheHeap() {
    long heap = HEAP_MIB << 20;
    EngineBounds bounds = EngineBounds.ofHeap(heap);
    var engines = new ArrayList<>(List.of(full(bounds)));
    long withEngine = usedBytes();
    assertThat(engines.removeFirst().openOrders()).isEqualTo(bounds.openOrders());
    long atBounds = withEngine - usedBytes();
    System.out.printf("engine at the bounds of %d MiB: %d kB%n", HEAP_MIB, atBounds / 1024);
    assertThat(atBounds).isBetween(heap / 10, heap / 3);
  }

  private static MatchingEngine full(EngineBounds bounds) {
    var engine = new MatchingEngine(bounds);
    for (int i = 1; i <= bounds.accounts(); i++) {
      engine.createAccount(String.valueOf(i), null, 0);
    }
    for (int i = 0; i < bounds.positions(); i++) {
      engine.addShares(account(i, bounds), symbol(i, bounds), 1_000_000);
      engine.takeChanges();
    }
    for (int i = 0; i < bounds.openOrders(); i++) { // each at its own price
      int position = i % bounds.positions();
      engine.placeOrder(
          account(position, bounds), symbol(position, bounds), Side.SELL, 1, 1_000 + i, 0);
      engine.takeChanges();
    }
    return engine;
  }

  private static long account(int position, EngineBounds bounds) {
    return 1 + position % bounds.accounts();
  }

  private static String symbol(int position, EngineBounds bounds) {
    return "S" + position % bounds.symbols();
  }

  private static void commands(OrderFlow flow, long count) {
    for (long i = 0; i < count; i++) {
      flow.command();
    }
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
