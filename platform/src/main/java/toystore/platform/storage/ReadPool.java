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

/// Platform threads that read a [SqliteFile], each with its own connection. Native calls would pin
/// virtual threads. Any thread may submit queries.
public final class ReadPool implements AutoCloseable {
  private final ThreadPoolExecutor threads;
  private final ArrayBlockingQueue<Connection> connections;
  private final int queueBound;
  private final Path path;

  /// A query on a database connection.
  @FunctionalInterface
  public interface Query<T> {
    T run(Connection connection) throws SQLException;
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
        connections.add(SqliteFile.dataSource(path, true).getConnection());
      }
    } catch (SQLException e) {
      throw new UnusableFileException("database " + path + " cannot be read: " + e.getMessage(), e);
    }
  }

  /// Runs a query on a thread of the pool. The result fails with [NotExecutedException] if the
  /// queue is full or the pool is closed, with [CorruptDataException] if SQLite reports damage, and
  /// otherwise with the exception of the query.
  public <T> CompletionStage<T> read(Query<T> query) {
    var answer = new CompletableFuture<T>();
    try {
      threads.execute(() -> run(query, answer));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          threads.isShutdown()
              ? NotExecutedException.because(
                  "service is stopping; the request was not processed", e)
              : NotExecutedException.queueFull("reader", queueBound));
    }
    return answer;
  }

  /// Number of waiting queries.
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

  private <T> void run(Query<T> query, CompletableFuture<T> answer) {
    Connection connection = connections.remove(); // one per thread, so there is always one
    T value;
    try {
      value = query.run(connection);
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
