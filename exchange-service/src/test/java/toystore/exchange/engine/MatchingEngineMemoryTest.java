package toystore.exchange.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
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
        new OrderFlow(new MatchingEngine(EngineRows.UNBOUNDED), SYMBOLS, OrderFlow.OPEN_ORDERS, 1);
    commands(flow, 10L * OrderFlow.OPEN_ORDERS); // each first order is closed by now
    long before = usedBytes();
    long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    commands(flow, 2 * ORDERS); // half of the commands place an order
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
    long after = usedBytes();
    flow.command(); // the engine is reachable until here
    System.out.printf(
        Locale.ROOT,
        "%d orders, live heap before %d kB, after %d kB; %.0f commands/s of CPU time%n",
        ORDERS,
        before / 1024,
        after / 1024,
        2e9 * ORDERS / nanos);
    assertThat(after - before).isLessThan(5_000_000); // 200,000 leaked orders are more than 20 MB
  }

  /// In a process of its own, of whose heap the rest of a service takes a third.
  @Test
  void engineAtItsBoundsAndTheBatchThatExecutesAllOrdersFitIntoTheHeap() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MIB + "m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FullEngine.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.println(output);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).endsWith("0 open orders\n");
  }

  /// Fills an engine to the default bounds of this process and executes all orders at once.
  static final class FullEngine {
    private FullEngine() {}

    public static void main(String[] args) {
      long heap = Runtime.getRuntime().maxMemory();
      var others = new byte[(int) (heap / 3)];
      EngineBounds bounds = EngineBounds.ofHeap(heap);
      long before = usedBytes();
      MatchingEngine engine = full(bounds);
      System.out.printf(
          Locale.ROOT,
          "%d open orders at their own prices, %d accounts, %d positions, %d symbols: %d of %d MiB%n",
          engine.openOrders(),
          bounds.accounts(),
          bounds.positions(),
          bounds.symbols(),
          (usedBytes() - before) >> 20,
          heap >> 20);
      engine.cancelOrder(1, 0);
      engine.placeOrder(1, "S0", Side.BUY, engine.openOrders(), Integer.MAX_VALUE, 0);
      EngineChanges changes = engine.takeChanges();
      System.out.printf(
          Locale.ROOT,
          "%d trades in a batch, %d others%n%d open orders%n",
          changes.trades().size(),
          others.length,
          engine.openOrders());
    }
  }

  private static MatchingEngine full(EngineBounds bounds) {
    var engine = new MatchingEngine(bounds);
    for (int i = 1; i <= bounds.accounts(); i++) {
      engine.createAccount(String.valueOf(i), null, i == 1 ? Long.MAX_VALUE / 2 : 0);
    }
    for (int i = 0; i < bounds.positions(); i++) { // the first one of each account is in S0
      boolean isFirst = i < bounds.accounts();
      engine.addShares(
          1 + i % bounds.accounts(), "S" + (isFirst ? 0 : 1 + i % (bounds.symbols() - 1)), 1_000);
      engine.takeChanges();
    }
    for (int i = 0; i < bounds.openOrders(); i++) { // each at its own price
      engine.placeOrder(1 + i % bounds.accounts(), "S0", Side.SELL, 1, 1_000 + i, 0);
      engine.takeChanges();
    }
    return engine;
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
