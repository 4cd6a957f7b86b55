package toystore.platform.storage;

import io.grpc.Context;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// A connection that reads a schema of PostgreSQL. Each query is one read-only transaction, which
/// sees one snapshot. Opened when it is needed, and again after it was lost.
final class PostgresReader implements ReadPool.ReadConnection {
  /// Longer than the deadline of any call.
  private static final int STATEMENT_TIMEOUT_MILLIS = 30_000;

  private final PostgresServer server;
  private final String schema;
  private @Nullable Connection connection;

  PostgresReader(PostgresServer server, String schema) {
    this.server = server;
    this.schema = schema;
  }

  @Override
  public <T> T run(ReadPool.Query<T> query, Context call) throws SQLException {
    boolean isNew = connection == null;
    try {
      return read(query);
    } catch (SQLException | RuntimeException e) {
      close();
      if (isNew || StorageError.of(e) != StorageError.DISCONNECTED) {
        throw e;
      }
      return run(query, call); // the old connection may have been lost long ago
    }
  }

  private <T> T read(ReadPool.Query<T> query) throws SQLException {
    Connection current = connection();
    T value = query.run(current);
    end(current);
    return value;
  }

  private Connection connection() throws SQLException {
    Connection current = connection;
    if (current == null) {
      current = server.connect(schema);
      connection = current;
      try (Statement statement = current.createStatement()) {
        statement.execute("SET statement_timeout = " + STATEMENT_TIMEOUT_MILLIS);
      }
      current.setReadOnly(true);
      current.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      current.setAutoCommit(false);
    }
    return current;
  }

  /// A query may have ended its transaction itself.
  private static void end(Connection current) throws SQLException {
    if (current.getAutoCommit()) {
      current.setAutoCommit(false);
    } else {
      current.rollback();
    }
  }

  @Override
  public void close() throws SQLException {
    Connection closing = connection;
    connection = null;
    if (closing != null) {
      closing.close();
    }
  }
}
