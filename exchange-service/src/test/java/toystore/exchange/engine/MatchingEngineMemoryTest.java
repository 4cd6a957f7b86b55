package toystore.exchange.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/// Closed orders and trades leave the engine's memory. `-Dtoystore.engine.orders=10000000` is the
/// long form; `-Dtoystore.engine.symbols=N` spreads the orders over N symbols.
class MatchingEngineMemoryTest {
  private static final long ORDERS = Long.getLong("toystore.engine.orders", 200_000);
  private static final int SYMBOLS = Integer.getInteger("toystore.engine.symbols", 10);

  @Test
  void memoryStaysFlatHoweverManyOrdersWereClosed() {
    var flow =
        new OrderFlow(OrderFlow.Target.of(new MatchingEngine()), SYMBOLS, OrderFlow.OPEN_ORDERS, 1);
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
