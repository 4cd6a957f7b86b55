package toystore.exchange.storage;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.MarketFeed;
import toystore.exchange.engine.EngineBounds;
import toystore.exchange.engine.Side;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.idempotency.Submitted;
import toystore.platform.storage.SqliteFile;

/// Measures the writer without a gateway: durable orders per second, and the time to read the
/// engine again. The build does not run it, because its name does not end in `Test`:
///
/// ```
/// ./mvnw test -pl exchange-service -am -P '!checks' -Djvm.quick= -Dtest=ExchangeBenchmark \
///   -Dsurefire.failIfNoSpecifiedTests=false -Dsurefire.redirectTestOutputToFile=false
/// ```
///
/// `-Dtoystore.bench.seconds` sets the time of each measurement, `-Dtoystore.bench.open` the number
/// of open orders to read.
class ExchangeBenchmark {
  private static final PrintStream OUT = System.out;
  private static final Duration TIME =
      Duration.ofSeconds(Long.getLong("toystore.bench.seconds", 10));
  private static final int OPEN = Integer.getInteger("toystore.bench.open", 1_000_000);
  private static final int ACCOUNTS = 1_000;

  @TempDir Path folder;

  /// Callers that each wait for their answer. About half of the orders trade.
  @ParameterizedTest
  @CsvSource({"64, 100, false", "64, 1, false", "500, 100, false", "64, 100, true"})
  void durableOrders(int callers, int symbols, boolean keys) throws Exception {
    try (var machine = new ExchangeMachine(folder, InstantSource.system())) {
      fill(machine, symbols);
      run(machine, callers, symbols, keys, Duration.ofSeconds(5)); // warm up
      long[] nanos = run(machine, callers, symbols, keys, TIME);
      OUT.printf(
          Locale.ROOT,
          "%d callers, %d symbols, keys %s: %,.0f orders/s, p50 %.2f ms, p99 %.2f ms, %d open, %d"
              + " trades%n",
          callers,
          symbols,
          keys,
          nanos.length / (double) TIME.toSeconds(),
          nanos[nanos.length / 2] / 1e6,
          nanos[nanos.length * 99 / 100] / 1e6,
          machine.running().batchStore().openOrders(),
          machine.running().batchStore().traded());
    }
  }

  private static void fill(ExchangeMachine machine, int symbols) {
    for (int i = 0; i < ACCOUNTS; i++) {
      machine.submit(
          new Submitted<>(
              new ExchangeCommand.CreateAccount(null, "buyer:1", 1_000_000_000_000_000L)));
      machine.submit(
          new Submitted<>(
              new ExchangeCommand.AddShares(account(i), "S" + i % symbols, 1_000_000_000_000L)));
    }
    machine.submit(new ExchangeCommand.CancelOrder(account(0), 1L << 40));
  }

  private static AccountKey account(int index) {
    return new AccountKey.Numbered(1 + index, null);
  }

  private static long[] run(
      ExchangeMachine machine, int callers, int symbols, boolean keys, Duration time)
      throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    var numbers = new AtomicLong(System.nanoTime());
    List<List<Long>> nanos = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      var own = new ArrayList<Long>();
      nanos.add(own);
      var random = new Random(i);
      threads.add(
          Thread.startVirtualThread(() -> {
            for (long begin = System.nanoTime(); begin < end; begin = System.nanoTime()) {
              ExchangeCommand.PlaceOrder order = order(random, symbols);
              machine
                  .submit(
                      keys
                          ? new Submitted<>(
                              order,
                              new RequestKey(
                                  "POST /api/exchange/accounts/1/orders buyer:1",
                                  "01890a5d-ac96-774b-bcce-" + numbers.getAndIncrement(),
                                  true),
                              null,
                              () -> false)
                          : new Submitted<>(order))
                  .toCompletableFuture()
                  .join();
              own.add(System.nanoTime() - begin);
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long[] all = nanos.stream().flatMap(List::stream).mapToLong(Long::longValue).toArray();
    Arrays.sort(all);
    return all;
  }

  private static ExchangeCommand.PlaceOrder order(Random random, int symbols) {
    int account = random.nextInt(ACCOUNTS);
    boolean sells = random.nextBoolean();
    return new ExchangeCommand.PlaceOrder(
        account(account),
        "S" + (sells ? account : random.nextInt(symbols)) % symbols,
        sells ? Side.SELL : Side.BUY,
        1 + random.nextInt(100_000),
        1_000_000 + (random.nextInt(200) - (sells ? 50 : 150)) * 100L);
  }

  /// Reads an engine with many open orders, as after a start or a failed commit.
  @Test
  void rebuild() throws Exception {
    try (var machine = new ExchangeMachine(folder, InstantSource.system())) {
      fill(machine, 100);
      var random = new Random(1);
      for (int i = 0; i < OPEN; i++) {
        boolean sells = random.nextBoolean();
        int account = random.nextInt(ACCOUNTS);
        var last =
            machine.submit(
                new Submitted<>(
                    new ExchangeCommand.PlaceOrder(
                        account(account),
                        "S" + account % 100,
                        sells ? Side.SELL : Side.BUY,
                        1 + random.nextInt(1_000),
                        1_000_000 + random.nextInt(10_000) * (sells ? 100L : -10L))));
        if (i % 5_000 == 0) {
          last.toCompletableFuture().join();
        }
      }
      machine.submit(new ExchangeCommand.CancelOrder(account(0), 1L << 40));
      long begin = System.nanoTime();
      machine.audit(true);
      OUT.printf(Locale.ROOT, "full audit: %.2f s%n", (System.nanoTime() - begin) / 1e9);
    }
    try (SqliteFile file = SqliteFile.open(folder.resolve("exchange-0.db"), "db/exchange")) {
      for (int i = 0; i < 5; i++) {
        System.gc();
        long begin = System.nanoTime();
        long cpuBegin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        var symbols = new SymbolStore();
        var batchStore =
            new ExchangeBatchStore(
                file,
                new CashAccountStore(symbols),
                new LimitOrderStore(symbols),
                new MarketFeed(1),
                EngineBounds.ofHeap(Long.MAX_VALUE),
                InstantSource.system());
        long nanos = System.nanoTime() - begin;
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBegin;
        System.gc();
        long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        OUT.printf(
            Locale.ROOT,
            "rebuild with %,d open orders: %.2f s, %.2f s of CPU; heap in use %d MiB%n",
            batchStore.openOrders(),
            nanos / 1e9,
            cpu / 1e9,
            used >> 20);
      }
    }
  }
}
