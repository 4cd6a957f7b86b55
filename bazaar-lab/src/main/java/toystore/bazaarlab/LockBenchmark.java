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

/// Reads and writes of a [Shelf] at random, by as many threads as JMH is told: what is timed is a
/// call of [Held#operations] of them, since one alone may take less than reading the clock.
///
/// All shelves are called through the same code, so all pay the same for its not knowing which.
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LockBenchmark {
  /// One shelf, shared by all threads.
  @State(Scope.Benchmark)
  public static class Held {
    /// How it is guarded.
    @Param({"mutex", "read-write-lock", "writer"})
    public String guard = "";

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
    private @Nullable Shelf shelf;

    /// Called by JMH before the first call.
    @Setup
    public void open() {
      disk = commit ? SqliteDisk.open() : null;
      shelf = guarded(guard).apply(disk == null ? Shelf.Disk.NONE : disk);
    }

    static Function<Shelf.Disk, Shelf> guarded(String guard) {
      return switch (guard) {
        case "mutex" -> MutexShelf::new;
        case "read-write-lock" -> ReadWriteShelf::new;
        case "writer" -> WriterShelf::new;
        default -> throw new IllegalArgumentException("guard: " + guard);
      };
    }

    /// Called by JMH after the last one: every write must have been made once.
    ///
    /// @throws IllegalStateException where one was lost
    @TearDown
    public void close() {
      Shelf all = shelf();
      long wanted = writes.sum();
      all.close();
      long found = IntStream.range(0, Shelf.PRODUCTS).mapToLong(all::pieces).sum();
      long stored = wanted;
      if (disk != null) {
        stored = disk.pieces();
        disk.close();
      }
      if (found != wanted || stored != wanted) {
        throw new IllegalStateException(
            "%s: %d writes wanted, found %d, %d on disk".formatted(guard, wanted, found, stored));
      }
    }

    private Shelf shelf() {
      if (shelf == null) {
        throw new IllegalStateException("not open");
      }
      return shelf;
    }
  }

  /// A call.
  @Benchmark
  public int call(Held held) {
    Shelf shelf = held.shelf();
    var random = ThreadLocalRandom.current();
    int writes = 0;
    int seen = 0;
    for (int i = 0; i < held.operations; i++) {
      int product = random.nextInt(Shelf.PRODUCTS);
      if (random.nextInt(100) < held.reads) {
        seen += shelf.pieces(product);
      } else {
        shelf.add(product);
        writes++;
      }
    }
    held.writes.add(writes);
    return seen;
  }
}
