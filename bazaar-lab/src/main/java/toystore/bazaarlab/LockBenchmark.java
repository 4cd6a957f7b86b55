package toystore.bazaarlab;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// JMH benchmark of random reads and writes of a [StockMap]. Each timed call is
/// [SharedStockMap#operations] operations, because a single operation may take less time than
/// reading the clock.
///
/// All implementations are called through the same code, so all have the same cost of dynamic
/// dispatch.
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LockBenchmark {
  /// One stock map, shared by all threads.
  @State(Scope.Benchmark)
  public static class SharedStockMap {
    /// The synchronization strategy.
    @Param({"mutex", "read-write-lock", "writer"})
    public String strategy = "";

    /// Percentage of operations that read; the others write.
    @Param({"100", "90", "0"})
    public int reads;

    /// Whether a write is on disk when it returns.
    @Param({"false", "true"})
    public boolean commit;

    /// Operations that are timed together.
    @Param("1000")
    public int operations;

    private final LongAdder writes = new LongAdder();
    private @Nullable SqliteDisk disk;
    private @Nullable StockMap stockMap;

    /// Called by JMH before the first call.
    @Setup
    public void open() {
      disk = commit ? SqliteDisk.open() : null;
      stockMap = stockMapFor(strategy).apply(disk == null ? StockMap.Disk.NONE : disk);
    }

    static Function<StockMap.Disk, StockMap> stockMapFor(String strategy) {
      return switch (strategy) {
        case "mutex" -> MutexStockMap::new;
        case "read-write-lock" -> ReadWriteLockStockMap::new;
        case "writer" -> SingleWriterStockMap::new;
        default ->
            throw new IllegalArgumentException(
                "strategy must be mutex, read-write-lock or writer, got " + strategy);
      };
    }

    /// Called by JMH after the last call. Checks that every write was applied exactly once.
    ///
    /// @throws IllegalStateException if a write was lost
    @TearDown
    public void close() {
      StockMap all = stockMap();
      long wanted = writes.sum();
      all.close();
      long found = IntStream.range(0, StockMap.PRODUCTS).mapToLong(all::quantity).sum();
      long stored = wanted;
      if (disk != null) {
        stored = disk.quantity();
        disk.close();
      }
      if (found != wanted || stored != wanted) {
        throw new IllegalStateException(
            "%s: expected %d writes, found %d in memory and %d on disk"
                .formatted(strategy, wanted, found, stored));
      }
    }

    private StockMap stockMap() {
      if (stockMap == null) {
        throw new IllegalStateException("no stock map: the JMH setup did not run");
      }
      return stockMap;
    }
  }

  /// One timed call.
  @Benchmark
  public int call(SharedStockMap shared) {
    StockMap stockMap = shared.stockMap();
    var random = ThreadLocalRandom.current();
    int writes = 0;
    int seen = 0;
    for (int i = 0; i < shared.operations; i++) {
      int product = random.nextInt(StockMap.PRODUCTS);
      if (random.nextInt(100) < shared.reads) {
        seen += stockMap.quantity(product);
      } else {
        stockMap.add(product);
        writes++;
      }
    }
    shared.writes.add(writes);
    return seen;
  }
}
