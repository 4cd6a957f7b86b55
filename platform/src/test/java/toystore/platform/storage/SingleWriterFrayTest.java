package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;
import toystore.clients.Concurrently;

/// Commands of two threads. Each is answered, from published state, or was certainly not carried
/// out.
@Tag("long")
@ExtendWith(FrayTestExtension.class)
class SingleWriterFrayTest {
  private final AtomicBoolean inDoubt = new AtomicBoolean();
  private final Collection<CompletableFuture<Long>> answers = new ConcurrentLinkedQueue<>();

  SingleWriterFrayTest() {
    Concurrently.initialize(() -> {
      new SingleWriterFrayTest().eachCommandIsAnsweredWhileTheWriterCloses();
      new SingleWriterFrayTest().eachCommandIsAnsweredWhileACommitFails();
      new SingleWriterFrayTest().nothingIsAnsweredWhileACommitIsInDoubt();
    });
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void eachCommandIsAnsweredWhileTheWriterCloses() {
    var store = new CountingTransactions();
    var writer = writer(store);
    Runnable client = () -> submitTwo(writer, store);
    Concurrently.run(client, client, writer::close);
    assertAllAnswered(writer, store);
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void eachCommandIsAnsweredWhileACommitFails() {
    var failed = new AtomicBoolean();
    var store =
        new CountingTransactions() {
          @Override
          void onCommit() throws SQLException {
            if (!failed.getAndSet(true)) {
              throw new SQLException("planned");
            }
          }
        };
    var writer = writer(store);
    Runnable client = () -> submitTwo(writer, store);
    Concurrently.run(client, client);
    writer.close();
    assertAllAnswered(writer, store);
    assertThat(store.published).isLessThan(4);
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void nothingIsAnsweredWhileACommitIsInDoubt() {
    var first = new AtomicBoolean(true); // answers of it may be read during the second commit
    var store =
        new CountingTransactions() {
          @Override
          void onCommit() {
            inDoubt.set(first.getAndSet(false));
            Thread.yield();
            inDoubt.set(false);
          }
        };
    var writer = writer(store);
    Runnable client = () -> submitTwo(writer, store);
    Concurrently.run(client, client);
    writer.close();
    assertAllAnswered(writer, store);
  }

  private static SingleWriter<CountingTransactions.Count> writer(CountingTransactions store) {
    try {
      return new SingleWriter<>("fray", store, store, 3, 2, _ -> {}).start();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void submitTwo(
      SingleWriter<CountingTransactions.Count> writer, CountingTransactions store) {
    for (int i = 0; i < 2; i++) {
      answers.add(
          writer
              .submit(CountingTransactions.Count::next)
              .thenApply(number -> {
                assertThat(number).isLessThan(store.published);
                assertThat(inDoubt).isFalse();
                return number;
              })
              .toCompletableFuture());
    }
  }

  private void assertAllAnswered(
      SingleWriter<CountingTransactions.Count> writer, CountingTransactions store) {
    Set<Long> numbers = new HashSet<>();
    for (CompletableFuture<Long> answer : answers) {
      if (answer.isCompletedExceptionally()) {
        assertThat(answer.exceptionNow()).isInstanceOf(NotExecutedException.class);
      } else {
        assertThat(numbers.add(answer.resultNow())).isTrue();
      }
    }
    assertThat(store.committed).isEqualTo(store.published).isEqualTo(numbers.size());
    assertThat(writer.waiting()).isZero();
  }
}
