package toystore.platform.storage;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Checks a writer to which a thread submits a command while another thread closes it. The command
/// is answered.
///
/// `-Dtoystore.lincheck.iterations=N` runs 50 × N interleavings.
@Tag("lincheck")
class SingleWriterLincheckTest {
  private static final int ITERATIONS = Integer.getInteger("toystore.lincheck.iterations", 3);

  /// Lincheck runs three threads (submit, close and the writer) in different interleavings.
  @Test
  void commandIsAnsweredInAnyInterleavingWithClose() {
    Lincheck.runConcurrentTest(50 * ITERATIONS, SingleWriterLincheckTest::submitWhileItCloses);
  }

  private static void submitWhileItCloses() {
    var store = new CountingTransactions();
    var writer =
        new SingleWriter<>(
            "lincheck",
            store,
            store,
            100,
            2,
            _ -> {},
            WriterListener.NONE,
            Duration.ZERO); // time does not advance under Lincheck
    start(writer);
    var answer = new AtomicReference<>(new CompletableFuture<Long>());
    var submits =
        new Thread(() ->
            answer.set(writer.submit(CountingTransactions.Count::next).toCompletableFuture()));
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

  private static void start(SingleWriter<?> writer) {
    try {
      writer.start();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
