package toystore.platform.storage;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteOpenMode;

/// An SQLite database with one writer. It uses a write-ahead log, and each commit is synced.
///
/// A second connection copies the log into the database (checkpoint) concurrently, without blocking
/// the writer. SQLite restarts the log at its beginning only when no reader uses it, so the log
/// would grow without limit under continuous writes. When the log exceeds [#LOG_BOUND], the writer
/// restarts it between two batches (see "Avoiding Excessively Large WAL Files" in SQLite's
/// documentation of WAL).
@SuppressWarnings("NullAway.Init") // opened by tryBecomeWriter
public final class SqliteFile implements Database, Database.LogStatistics {
  private static final Logger log = LoggerFactory.getLogger(SqliteFile.class);

  private static final long LOG_BOUND = 64L << 20;

  private static final String URL_PREFIX = "jdbc:sqlite:";

  private static final int PAGE = 4096;
  private static final int WRITER_CACHE_PAGES = 4096;
  private static final int BUSY_MILLIS = 1000;

  /// How long the writer waits for readers so that the log can restart. A customer's query ends
  /// within that time. A backup does not; the writer then tries again after the next checkpoint.
  private static final int LOG_RESTART_BUSY_MILLIS = 25;

  private static final long CHECKPOINT_MILLIS = 250;

  private final Path path;
  private final String migrations;
  private final long logBound;
  private final Runnable beforeCreation;
  private final ScheduledExecutorService checkpointer;
  private final List<SqliteReader> readers = new ArrayList<>();
  private final List<Connection> connections = new ArrayList<>();
  private @Nullable LockedFolder folder;
  private Connection writing;
  private Connection queries; // the same one
  private Connection checkpointConnection;
  private FileIdentity identity;
  private volatile boolean loaded;
  private volatile boolean logTooLong;
  private volatile long logBytes;
  private boolean lastCheckpointFailed; // used by the checkpoint thread only
  private final LongAdder checkpoints = new LongAdder();
  private final LongAdder failedCheckpoints = new LongAdder();
  private volatile @Nullable SQLException failure;

  /// @param migrations location of the Flyway migrations, such as `db/catalog`
  /// @param beforeCreation runs before the file is created. If it fails, no file remains
  public SqliteFile(Path path, String migrations, Runnable beforeCreation) {
    this(path, migrations, LOG_BOUND, beforeCreation);
  }

  private SqliteFile(Path path, String migrations, long logBound, Runnable beforeCreation) {
    this.path = path;
    this.migrations = migrations;
    this.logBound = logBound;
    this.beforeCreation = beforeCreation;
    this.checkpointer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(path.getFileName() + "-checkpoint").factory());
  }

  public static SqliteFile open(Path path, String migrations) {
    return open(path, migrations, LOG_BOUND);
  }

  /// @param logBound size of the log, in bytes, above which the writer restarts it
  static SqliteFile open(Path path, String migrations, long logBound) {
    var file = new SqliteFile(path, migrations, logBound, () -> {});
    try {
      file.tryBecomeWriter();
      return file;
    } catch (RuntimeException e) {
      try {
        file.close();
      } catch (SQLException atClose) {
        e.addSuppressed(atClose);
      }
      throw e;
    }
  }

  /// @return true
  /// @throws UnusableFileException if another process holds the lock, or the file is damaged or not
  ///   writable, has more than one name, or has the schema of a newer version
  @Override
  public boolean tryBecomeWriter() {
    try {
      folder = LockedFolder.lock(path.resolveSibling(""));
      open();
      return true;
    } catch (SQLException | FlywayException | CorruptDataException e) {
      throw unusable(path, e);
    } catch (IOException e) {
      throw new UnusableFileException("folder of " + path + " cannot be read: " + e, e);
    }
  }

  private void open() throws SQLException, IOException {
    createForOwner();
    writing = connect();
    syncLog(path, writing);
    IntegrityCheck.quickCheck(writing); // checksums cannot detect a row missing from a page
    SchemaMigration.run(
        SchemaMigration.of(
            Flyway.configure().dataSource(new MigrationDataSource(path)), "db/file", migrations),
        "database " + path);
    DirectoryFsync.syncParent(path); // also for the log; SQLite ignores this error
    writing.setAutoCommit(false);
    queries = StatementCache.of(writing);
    identity = new FileIdentity(path, path.resolveSibling(path.getFileName() + "-wal"));
    for (SqliteReader reader : readers) {
      reader.open();
    }
    checkpointConnection = connect();
    checkpointer.scheduleWithFixedDelay(
        this::checkpoint, CHECKPOINT_MILLIS, CHECKPOINT_MILLIS, TimeUnit.MILLISECONDS);
  }

  private Connection connect() throws SQLException {
    Connection connection = dataSource(path, false).getConnection();
    connections.add(connection);
    return connection;
  }

  /// Creates an empty file if there is none. SQLite gives the log and its index the permissions of
  /// the database.
  private void createForOwner() {
    try {
      FileIdentity.requireOneName(path);
      if (Files.notExists(path)) {
        beforeCreation.run();
        OwnerPermissions.createFile(path);
      }
    } catch (IOException e) {
      throw new UnusableFileException("database " + path + " cannot be created: " + e, e);
    }
  }

  /// Syncs the log. A killed process may leave a commit that was written but not synced. The next
  /// process would treat it as durable, and a power failure could still remove it.
  private static void syncLog(Path path, Connection connection) throws SQLException {
    try (Statement pragma = connection.createStatement()) {
      pragma.execute("PRAGMA wal_checkpoint(PASSIVE)"); // syncs the log first
    } catch (SQLException e) {
      if (StorageError.of(e) != StorageError.CANNOT_WRITE) {
        throw e;
      }
      log.warn("{}: checkpoint failed: {}", path, e.getMessage());
    }
  }

  @Override
  public void load(StatementBlock state) {
    try {
      state.run();
      loaded = true;
    } catch (SQLException | CorruptDataException e) {
      throw unusable(path, e);
    }
  }

  @Override
  public Connection queryConnection() {
    return queries;
  }

  @Override
  public Connection statementConnection() {
    return writing;
  }

  @Override
  public Dialect dialect() {
    return Dialect.SQLITE;
  }

  @Override
  public ReadPool readers(int threads, int queueBound) {
    List<SqliteReader> added =
        Stream.generate(() -> new SqliteReader(path)).limit(threads).toList();
    if (connections.isEmpty()) {
      readers.addAll(added);
    } else {
      added.forEach(SqliteReader::open);
    }
    return new ReadPool(path, path.getFileName().toString(), List.copyOf(added), queueBound);
  }

  @Override
  public void add(WriterStatement statement) throws SQLException {
    statement.prepare().executeUpdate();
  }

  @Override
  public void flush() {
    // nothing is collected
  }

  @Override
  public boolean tryReconnect(Exception error) {
    return false;
  }

  /// @throws SQLException also if a file of the database was moved; nothing is committed then
  @Override
  public void commit() throws SQLException {
    identity.check();
    writing.commit();
    throwIfFailed(); // the checkpoint thread syncs the same log
  }

  @Override
  public void rollback() {
    try {
      writing.rollback();
    } catch (SQLException e) {
      beginAfterFailedRollback(e);
    }
  }

  /// Begins a new transaction if SQLite already rolled back the current one, which it does when the
  /// disk is full. Fails if a transaction is still open.
  private void beginAfterFailedRollback(SQLException failure) {
    try (Statement statement = writing.createStatement()) {
      statement.execute("BEGIN");
    } catch (SQLException e) {
      failure.addSuppressed(e);
      throw new IllegalStateException(path + ": the transaction cannot be rolled back", failure);
    }
  }

  @Override
  public void probe() throws SQLException {
    throwIfFailed();
    commit(() -> {
      try (Statement statement = writing.createStatement()) {
        statement.executeUpdate("UPDATE probe SET tries = tries + 1");
      }
    });
  }

  /// Restarts a log that has grown too long, unless a long read is in progress.
  @Override
  public void tidy() throws SQLException {
    throwIfFailed();
    if (logTooLong) {
      logTooLong = false;
      writing.setAutoCommit(true);
      try (Statement pragma = writing.createStatement()) {
        pragma.execute("PRAGMA busy_timeout = " + LOG_RESTART_BUSY_MILLIS);
        pragma.execute("PRAGMA wal_checkpoint(RESTART)");
        pragma.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
      } finally {
        writing.setAutoCommit(false);
      }
    }
  }

  @Override
  public @Nullable String notReady() {
    if (!loaded) {
      return NOT_LOADED;
    }
    try {
      identity.check();
      return null;
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /// No other process can have taken over.
  @Override
  public @Nullable String notServing() {
    return loaded ? null : NOT_LOADED;
  }

  @Override
  public Optional<Database.LogStatistics> log() {
    return Optional.of(this);
  }

  @Override
  public long logBytes() {
    return logBytes;
  }

  @Override
  public long checkpoints() {
    return checkpoints.sum();
  }

  @Override
  public long failedCheckpoints() {
    return failedCheckpoints.sum();
  }

  @Override
  public void close() throws SQLException {
    checkpointer.close();
    for (Connection connection : connections.reversed()) {
      connection.close(); // and roll back
    }
    if (folder != null) {
      folder.close();
    }
  }

  static SQLiteDataSource dataSource(Path path, boolean readOnly) {
    var source = new SQLiteDataSource(config(readOnly));
    source.setUrl(url(path));
    return source;
  }

  /// A `file:` URI, in which every special character of the path is encoded. In a plain path, the
  /// driver would take `?` for the beginning of parameters.
  static String url(Path path) {
    return URL_PREFIX + path.toUri();
  }

  static String path(String url) {
    String file = url.substring(URL_PREFIX.length());
    return file.startsWith("file:") ? Path.of(URI.create(file)).toString() : file;
  }

  static SQLiteConfig config(boolean readOnly) {
    var config = new SQLiteConfig();
    config.setReadOnly(readOnly);
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    // the driver begins the next transaction within commit(): a BEGIN that took a lock could fail
    // there, and a batch that is on disk would be called failed
    config.setTransactionMode(TransactionMode.DEFERRED);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setPageSize(PAGE);
    config.setJournalSizeLimit((int) LOG_BOUND);
    config.setOpenMode(SQLiteOpenMode.NOMUTEX); // the driver itself lets in one thread at a time
    config.setGetGeneratedKeys(false); // it runs `SELECT last_insert_rowid()` after each insert
    if (!readOnly) {
      config.setCacheSize(WRITER_CACHE_PAGES);
      config.setPragma(SQLiteConfig.Pragma.WAL_AUTOCHECKPOINT, "0");
    }
    return config;
  }

  /// Throws what the checkpoint thread found: a failed fsync or damage.
  private void throwIfFailed() throws SQLException {
    SQLException fatal = failure;
    if (fatal != null) {
      throw fatal;
    }
  }

  private void checkpoint() {
    if (failure != null) {
      return; // never retried
    }
    try (Statement pragma = checkpointConnection.createStatement();
        ResultSet result = pragma.executeQuery("PRAGMA wal_checkpoint(PASSIVE)")) {
      result.next();
      logBytes = result.getLong(2) * PAGE;
      logTooLong = logBytes > logBound;
      checkpoints.increment();
      lastCheckpointFailed = false;
    } catch (SQLException e) {
      failedCheckpoints.increment();
      if (StorageError.of(e).isFatal()) {
        failure = e;
      }
      if (!lastCheckpointFailed) {
        log.warn("{}: checkpoint failed: {}", path, e.getMessage());
      }
      lastCheckpointFailed = true;
    }
  }

  private static RuntimeException unusable(Path path, Exception failure) {
    String message = "database " + path + " cannot be used: " + StorageError.reason(failure);
    return StorageError.of(failure) == StorageError.SYNC_FAILED
        ? new DiskFailedException(message, failure)
        : new UnusableFileException(message, failure);
  }
}
