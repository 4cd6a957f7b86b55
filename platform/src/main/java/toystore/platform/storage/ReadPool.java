package toystore.platform.storage;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Platform threads that read a [SqliteFile], each on a connection of its own. (Virtual threads
/// would be pinned while they are in native code.) Any thread may ask.
public final class ReadPool implements AutoCloseable {
  private final ThreadPoolExecutor threads;
  private final ArrayBlockingQueue<Connection> connections;
  private final int queueBound;
  private final Path path;

  /// A question to the database.
  @FunctionalInterface
  public interface Question<T> {
    T ask(Connection connection) throws SQLException;
  }

  ReadPool(Path path, int threads, int queueBound) {
    this.path = path;
    this.queueBound = queueBound;
    this.connections = new ArrayBlockingQueue<>(threads);
    this.threads =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queueBound),
            Thread.ofPlatform().name(path.getFileName() + "-reader-", 0).factory());
    try {
      for (int i = 0; i < threads; i++) {
        connections.add(SqliteFile.source(path, true).getConnection());
      }
    } catch (SQLException e) {
      throw new UnusableFileException("database " + path + " cannot be read: " + e.getMessage(), e);
    }
  }

  /// Asks a question on one of the threads. The answer fails with [NotExecutedException] where too
  /// many wait, with [CorruptDataException] where SQLite cannot make sense of what it reads, and
  /// else with what the question threw.
  public <T> CompletionStage<T> read(Question<T> question) {
    var answer = new CompletableFuture<T>();
    try {
      threads.execute(() -> answer(question, answer));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          threads.isShutdown()
              ? NotExecutedException.because(
                  "service is stopping; the request was not processed", e)
              : NotExecutedException.queueFull("reader", queueBound));
    }
    return answer;
  }

  /// How many questions wait.
  public int waiting() {
    return threads.getQueue().size();
  }

  @Override
  public void close() throws SQLException {
    threads.close();
    for (Connection connection : connections) {
      connection.close();
    }
  }

  private <T> void answer(Question<T> question, CompletableFuture<T> answer) {
    Connection connection = connections.remove(); // as many as threads, so there is one
    T value;
    try {
      value = question.ask(connection);
    } catch (SQLException | RuntimeException e) {
      answer.completeExceptionally(
          DiskError.of(e) == DiskError.DAMAGED
              ? new CorruptDataException("damaged database " + path + ": " + e.getMessage())
              : e);
      return;
    } finally {
      connections.add(connection);
    }
    answer.complete(value);
  }
}
