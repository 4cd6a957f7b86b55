package toystore.platform.storage;

import io.grpc.Context;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Platform threads that read a [SqliteFile], each with its own connection. Native calls would pin
/// virtual threads. Any thread may submit queries.
///
/// If the gRPC call that submitted a query is cancelled or its deadline passes, a waiting query is
/// skipped and a running statement is interrupted.
public final class ReadPool implements AutoCloseable {
  /// Steps of SQLite's virtual machine between two checks whether the call is cancelled: less than
  /// a millisecond.
  private static final int STEPS_PER_CHECK = 10_000;

  private final ThreadPoolExecutor threads;
  private final ArrayBlockingQueue<Reader> idle;
  private final int queueBound;
  private final Path path;

  /// A query on a database connection.
  @FunctionalInterface
  public interface Query<T> {
    T run(Connection connection) throws SQLException;
  }

  /// A connection, and the call for which it reads.
  private static final class Reader extends ProgressHandler {
    final Connection connection;
    volatile Context call = Context.ROOT;

    Reader(Connection connection) {
      this.connection = connection;
    }

    /// Called by SQLite while a statement runs.
    ///
    /// @return whether SQLite must interrupt the statement
    @Override
    protected int progress() {
      return call.isCancelled() ? 1 : 0;
    }
  }

  ReadPool(Path path, int threads, int queueBound) {
    this.path = path;
    this.queueBound = queueBound;
    this.idle = new ArrayBlockingQueue<>(threads);
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
        var reader = new Reader(SqliteFile.dataSource(path, true).getConnection());
        ProgressHandler.setHandler(reader.connection, STEPS_PER_CHECK, reader);
        idle.add(reader);
      }
    } catch (SQLException e) {
      throw new UnusableFileException("database " + path + " cannot be read: " + e.getMessage(), e);
    }
  }

  /// Runs a query on a thread of the pool. The result fails with [NotExecutedException] if the
  /// queue is full, the pool is closed or the caller no longer waits, with [CorruptDataException]
  /// if SQLite reports damage, and otherwise with the exception of the query.
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

  /// Number of waiting queries.
  public int waiting() {
    return threads.getQueue().size();
  }

  @Override
  public void close() throws SQLException {
    threads.close();
    for (Reader reader : idle) {
      reader.connection.close();
    }
  }

  private <T> void run(Query<T> query, CompletableFuture<T> answer, Context call) {
    if (call.isCancelled()) {
      answer.completeExceptionally(abandoned());
      return;
    }
    Reader reader = idle.remove(); // one per thread, so there is always one
    reader.call = call;
    T value;
    try {
      value = query.run(reader.connection);
    } catch (SQLException | RuntimeException e) {
      answer.completeExceptionally(failure(e));
      return;
    } finally {
      reader.call = Context.ROOT;
      idle.add(reader);
    }
    answer.complete(value);
  }

  private Exception failure(Exception e) {
    if (e instanceof SQLiteException it && it.getResultCode() == SQLiteErrorCode.SQLITE_INTERRUPT) {
      return abandoned();
    }
    return DiskError.of(e) == DiskError.DAMAGED
        ? new CorruptDataException("damaged database " + path + ": " + e.getMessage())
        : e;
  }

  private static NotExecutedException abandoned() {
    return NotExecutedException.because("caller no longer waits; the request was not processed");
  }
}
