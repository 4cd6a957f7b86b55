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

/// Reads and writes of a [StockMap] at random, by as many threads as JMH is told: what is timed is
/// a call of [SharedStockMap#operations] of them, since one alone may take less than reading the
/// clock.
///
/// All shelves are called through the same code, so all pay the same for its not knowing which.
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LockBenchmark {
  /// One shelf, shared by all threads.
  @State(Scope.Benchmark)
  public static class SharedStockMap {
    /// How it is guarded.
    @Param({"mutex", "read-write-lock", "writer"})
    public String strategy = "";

    /// Operations that read, in percent; the others write.
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
        default -> throw new IllegalArgumentException("unknown strategy: " + strategy);
      };
    }

    /// Called by JMH after the last one: every write must have been made once.
    ///
    /// @throws IllegalStateException where one was lost
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
        throw new IllegalStateException("stock map is not open");
      }
      return stockMap;
    }
  }

  /// A call.
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
