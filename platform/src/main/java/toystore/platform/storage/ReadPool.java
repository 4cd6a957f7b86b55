package toystore.platform.storage;

import io.grpc.Context;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Platform threads that read a [Database], each with its own connection. Native calls would pin
/// virtual threads. Any thread may submit queries.
///
/// If the gRPC call that submitted a query is cancelled or its deadline passes, a waiting query is
/// skipped and a running statement of SQLite is interrupted; one of PostgreSQL has a time limit.
public final class ReadPool implements AutoCloseable {
  private final Object database;
  private final ThreadPoolExecutor threads;
  private final ArrayBlockingQueue<ReadConnection> idle;
  private final int queueBound;

  @FunctionalInterface
  public interface Query<T> {
    T run(Connection connection) throws SQLException;
  }

  /// A connection of one thread of the pool.
  interface ReadConnection {
    /// Runs a query.
    ///
    /// @param call the gRPC call for which it reads
    <T> T run(Query<T> query, Context call) throws SQLException;

    void close() throws SQLException;
  }

  /// @param database for messages
  /// @param name of the threads
  ReadPool(Object database, String name, List<ReadConnection> connections, int queueBound) {
    this.database = database;
    this.queueBound = queueBound;
    this.idle = new ArrayBlockingQueue<>(connections.size(), false, connections);
    this.threads =
        new ThreadPoolExecutor(
            connections.size(),
            connections.size(),
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queueBound),
            Thread.ofPlatform().name(name + "-reader-", 0).factory());
  }

  /// Runs a query on a thread of the pool. The result fails with [NotExecutedException] if the
  /// queue is full, the pool is closed, the caller no longer waits or the database does not answer,
  /// with [CorruptDataException] if it is damaged, and otherwise with the exception of the query.
  public <T> CompletionStage<T> read(Query<T> query) {
    var answer = new CompletableFuture<T>();
    Context call = Context.current();
    try {
      threads.execute(() -> run(query, answer, call));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          threads.isShutdown()
              ? NotExecutedException.because(
                  "service is stopping; the request was not processed", e)
              : NotExecutedException.queueFull("reader", queueBound));
    }
    return answer;
  }

  public int waiting() {
    return threads.getQueue().size();
  }

  @Override
  public void close() throws SQLException {
    threads.close();
    for (ReadConnection connection : idle) {
      connection.close();
    }
  }

  private <T> void run(Query<T> query, CompletableFuture<T> answer, Context call) {
    if (call.isCancelled()) {
      answer.completeExceptionally(abandoned());
      return;
    }
    ReadConnection connection = idle.remove(); // one per thread, so there is always one
    T value;
    try {
      value = connection.run(query, call);
    } catch (SQLException | RuntimeException e) {
      answer.completeExceptionally(call.isCancelled() ? abandoned() : translated(e));
      return;
    } finally {
      idle.add(connection);
    }
    answer.complete(value);
  }

  private Exception translated(Exception e) {
    StorageError error = StorageError.of(e);
    if (error.isTemporary()) {
      return NotExecutedException.because(database + " cannot be read: " + e.getMessage(), e);
    }
    return error == StorageError.DAMAGED
        ? new CorruptDataException("damaged database " + database + ": " + e.getMessage())
        : e;
  }

  private static NotExecutedException abandoned() {
    return NotExecutedException.because("caller no longer waits; the request was not processed");
  }
}
