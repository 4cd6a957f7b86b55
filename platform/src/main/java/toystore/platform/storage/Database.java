package toystore.platform.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The database of a service: an [SqliteFile] or a [PostgresSchema]. One process at a time is its
/// writer, and the thread of its [SingleWriter] alone writes. Methods without another remark belong
/// to that thread, and before it starts to the one that starts it.
///
/// ```
/// created ─▶ check ─▶ tryBecomeWriter ─▶ load ─▶ commits
///            not ready, not serving      │      ready
/// ```
public interface Database extends Transactions, AutoCloseable {
  String NOT_LOADED = "the state is not loaded yet";

  String STANDBY = "standby";

  /// @throws UnusableFileException if this process may not use the database
  default void check() {}

  /// Becomes the writer, if no other process is. Migrates the schema then. [#notReady] has the
  /// reason if it does not become the writer.
  ///
  /// @throws UnusableFileException if the database cannot be used, or waiting does not help
  /// @throws DiskFailedException if an fsync failed
  boolean tryBecomeWriter();

  /// The connection of the writer, for queries, which see the statements that were added. A
  /// statement begins a transaction; [#commit()] or [#rollback] ends it. It may be another one
  /// after [#tryReconnect].
  Connection queryConnection() throws SQLException;

  /// The same connection, without executing what was added.
  default Connection statementConnection() throws SQLException {
    return queryConnection();
  }

  /// Creates a statement on the writer's connection. Any thread.
  default WriterStatement statement(String sql) {
    return new WriterStatement(this, sql);
  }

  /// Executes a statement whose parameters are set, or collects it until [#flush].
  void add(WriterStatement statement) throws SQLException;

  /// Executes the collected statements, in the order in which the first of each SQL text was added.
  void flush() throws SQLException;

  /// Why the service must not be used now, or null. Any thread.
  @Nullable String notReady();

  /// Why no call may be answered now, also none that reads, or null: another process may have taken
  /// over and changed the state. Any thread.
  @Nullable String notServing();

  /// The SQL of this database. Any thread.
  Dialect dialect();

  /// Any thread.
  ReadPool readers(int threads, int queueBound);

  /// The size of the log and its checkpoints; empty if another program has them. Any thread.
  default Optional<LogStatistics> log() {
    return Optional.empty();
  }

  /// Reads the initial state of a service, which is ready then.
  ///
  /// @throws UnusableFileException if it is damaged or cannot be read
  /// @throws DiskFailedException if an fsync failed
  void load(StatementBlock state);

  /// Commits the statements atomically. If that fails, none of them remains.
  default void commit(StatementBlock statements) throws SQLException {
    try {
      statements.run();
      commit();
    } catch (SQLException e) {
      rollback();
      throw e;
    }
  }

  /// Whether a statement failed because a row with the same key exists.
  static boolean isDuplicateKey(SQLException failure) {
    return StorageError.of(failure) == StorageError.DUPLICATE_KEY;
  }

  @Override
  void close() throws SQLException;

  @FunctionalInterface
  interface StatementBlock {
    void run() throws SQLException;
  }

  /// The write-ahead log of an SQLite file. Any thread.
  interface LogStatistics {
    /// Size of the write-ahead log in bytes at the last checkpoint.
    long logBytes();

    /// Number of checkpoints since the file was opened.
    long checkpoints();

    /// Number of failed checkpoints.
    long failedCheckpoints();
  }
}
