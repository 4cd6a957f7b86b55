package toystore.platform.storage;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Checks a writer to which threads submit commands while another thread closes it. Each command is
/// answered, even if it is submitted during the close. The answers are linearizable.
///
/// `-Dtoystore.lincheck.iterations=N` runs N scenarios, and 50 × N interleavings of a submit and a
/// close.
@Tag("lincheck")
class SingleWriterLincheckTest {
  private static final int ITERATIONS = Integer.getInteger("toystore.lincheck.iterations", 3);

  /// Lincheck runs three threads (submit, close and the writer) in different interleavings.
  @Test
  void commandIsAnsweredInAnyInterleavingWithClose() {
    Lincheck.runConcurrentTest(50 * ITERATIONS, SingleWriterLincheckTest::submitWhileItCloses);
  }

  @Test
  void submitIsLinearizableUntilClose() {
    new StressOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(1)
        .sequentialSpecification(Row.class)
        .check(Numbers.class);
  }

  private static void submitWhileItCloses() {
    var writer = numbers(Duration.ZERO); // time does not advance under Lincheck
    var answer = new AtomicReference<>(new CompletableFuture<Long>());
    var submits =
        new Thread(
            () -> answer.set(writer.submit(AtomicLong::getAndIncrement).toCompletableFuture()));
    var closes = new Thread(writer::close);
    submits.start();
    closes.start();
    try {
      submits.join();
      closes.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (!answer.get().isDone() || writer.waiting() > 0) {
      throw new IllegalStateException("the command was not answered");
    }
  }

  private static SingleWriter<AtomicLong> numbers(Duration idle) {
    return new SingleWriter<>(
        "lincheck", new CountingBatchStore(), 100, 2, _ -> {}, WriterListener.NONE, idle);
  }

  /// The tested writer. It assigns consecutive numbers.
  public static class Numbers {
    private final SingleWriter<AtomicLong> writer = numbers(Duration.ofNanos(10_000));

    @Operation(blocking = true)
    public long submit() {
      try {
        return writer.submit(AtomicLong::getAndIncrement).toCompletableFuture().join();
      } catch (CompletionException e) {
        return -1;
      }
    }

    @Operation(blocking = true, runOnce = true)
    public void close() {
      writer.close();
    }

    @Validate
    public void end() {
      writer.close();
      if (writer.waiting() > 0) {
        throw new IllegalStateException(writer.waiting() + " commands were not answered");
      }
    }
  }

  /// The sequential specification of [Numbers].
  public static class Row {
    private long next;
    private boolean closed;

    public long submit() {
      return closed ? -1 : next++;
    }

    public void close() {
      closed = true;
    }
  }
}
