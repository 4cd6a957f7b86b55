package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/// A session of PostgreSQL that has the lock of a schema, and its row in table `writer`: see
/// [PostgresSchema]. Used by the writer's thread.
final class WriterSession implements WriterState {
  /// After it has heard nothing for this time, the server ends the session.
  static final Duration TIMEOUT = Duration.ofSeconds(6);

  /// The same, until the first batch: a start migrates the schema and reads the state.
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  private static final int VALIDATION_SECONDS = 5;

  private final Connection connection;
  private final Set<PreparedStatement> collected = new LinkedHashSet<>();
  private final long epoch;
  private long batch;
  private boolean fenced;
  private boolean starting = true;

  private WriterSession(Connection connection, long epoch, long batch) {
    this.connection = connection;
    this.epoch = epoch;
    this.batch = batch;
  }

  /// Takes the lock of a schema, if no other session has it. Then the connection commits no
  /// statement by itself.
  ///
  /// @return whether the session has it
  static boolean tryLock(Connection connection, String schema) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      setTimeouts(statement, START_TIMEOUT);
      String lock =
          format("SELECT pg_try_advisory_lock(hashtextextended('toystore %s', 0))", schema);
      try (ResultSet row = statement.executeQuery(lock)) {
        row.next();
        boolean isLocked = row.getBoolean(1);
        connection.setAutoCommit(!isLocked);
        return isLocked;
      }
    }
  }

  private static void setTimeouts(Statement statement, Duration timeout) throws SQLException {
    for (String name : List.of("idle_session_timeout", "idle_in_transaction_session_timeout")) {
      statement.execute(format("SET %s = %d", name, timeout.toMillis()));
    }
  }

  /// Begins to use a session that has the lock: gives it the next epoch.
  ///
  /// @param claim changes the row of table `writer` for this owner, and returns epoch and batch
  /// @return null if the claim changed no row
  static @Nullable WriterSession begin(Connection connection, String claim, String owner)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(claim)) {
      statement.setString(1, owner);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        var session = new WriterSession(connection, row.getLong(1), row.getLong(2));
        session.commitReplicated();
        return session;
      }
    }
  }

  long batch() {
    return batch;
  }

  Connection connection() {
    return connection;
  }

  void add(PreparedStatement statement) throws SQLException {
    statement.addBatch();
    collected.add(statement);
  }

  boolean hasCollected() {
    return !collected.isEmpty();
  }

  /// @return false if another process is the writer
  boolean flush() throws SQLException {
    if (!fence()) {
      return false;
    }
    for (PreparedStatement statement : collected) {
      try {
        statement.executeBatch();
      } catch (BatchUpdateException e) { // its message has the values of a row
        throw e.getNextException() == null ? e : e.getNextException();
      }
    }
    collected.clear();
    return true;
  }

  private boolean fence() throws SQLException {
    if (fenced) {
      return true;
    }
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE writer SET batch = ? WHERE epoch = ?")) {
      statement.setLong(1, batch + 1);
      statement.setLong(2, epoch);
      fenced = statement.executeUpdate() == 1;
    }
    if (fenced && starting) {
      try (Statement statement = connection.createStatement()) {
        setTimeouts(statement, TIMEOUT);
      }
    }
    return fenced;
  }

  /// Commits what was flushed.
  ///
  /// @return what was received in place of the server's answer; null: the commit was done
  /// @throws SQLException if the server says that it was not done
  @Nullable Exception commit() throws SQLException {
    try {
      commitReplicated();
    } catch (SQLException e) {
      if (isRefusal(e)) {
        throw e;
      }
      return e;
    } catch (RuntimeException e) {
      return e;
    }
    batch++;
    fenced = false;
    starting = false;
    return null;
  }

  /// @throws SQLException also if the wait for a standby was cancelled: the server says so in a
  ///   warning, and has committed what a standby may lack (Patroni, issue 1412)
  private void commitReplicated() throws SQLException {
    connection.clearWarnings();
    connection.commit();
    SQLException warning = connection.getWarnings();
    if (warning != null) {
      throw PostgresServer.notConnected(
          "commit without its standby: " + warning.getMessage(), warning);
    }
  }

  /// Whether the server answered that the transaction was rolled back: it says so, and the session
  /// goes on. If the session ended, the commit may have been done before.
  private boolean isRefusal(SQLException e) throws SQLException {
    boolean answered =
        e instanceof PSQLException answer
            && (answer.getServerErrorMessage() != null
                || PSQLState.IN_FAILED_SQL_TRANSACTION.getState().equals(e.getSQLState()));
    return answered && connection.isValid(VALIDATION_SECONDS);
  }

  /// @throws SQLException if the session cannot be used any more
  void rollback() throws SQLException {
    fenced = false;
    for (PreparedStatement statement : collected) {
      statement.clearBatch();
    }
    collected.clear();
    connection.rollback();
  }
}
