package toystore.platform.storage;

import static java.util.Objects.requireNonNull;

import io.grpc.Context;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.ProgressHandler;

/// A connection that reads an [SqliteFile].
final class SqliteReader extends ProgressHandler implements ReadPool.ReadConnection {
  /// Steps of SQLite's virtual machine between two checks whether the call is cancelled: less than
  /// a millisecond.
  private static final int STEPS_PER_CHECK = 10_000;

  private final Path path;
  private @Nullable Connection connection;
  private volatile Context call = Context.ROOT;

  SqliteReader(Path path) {
    this.path = path;
  }

  /// Opens the file. Called before the first query.
  ///
  /// @throws UnusableFileException if the file cannot be read
  void open() {
    try {
      Connection reading = SqliteFile.dataSource(path, true).getConnection();
      ProgressHandler.setHandler(reading, STEPS_PER_CHECK, this);
      connection = StatementCache.of(reading);
    } catch (SQLException e) {
      throw new UnusableFileException("database " + path + " cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public <T> T run(ReadPool.Query<T> query, Context reading) throws SQLException {
    call = reading;
    try {
      return query.run(requireNonNull(connection));
    } finally {
      call = Context.ROOT;
    }
  }

  /// Called by SQLite while a statement runs.
  ///
  /// @return whether SQLite must interrupt the statement
  @Override
  protected int progress() {
    return call.isCancelled() ? 1 : 0;
  }

  @Override
  public void close() throws SQLException {
    if (connection != null) {
      connection.close();
    }
  }
}
