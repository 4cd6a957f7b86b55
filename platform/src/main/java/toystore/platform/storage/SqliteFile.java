package toystore.platform.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteDataSource;

/// A SQLite database with one writer: write-ahead log, each commit synced.
///
/// The log is copied into the database (checkpointed) beside the writer, by a second connection,
/// which never holds the writer up. That alone would let the log grow for ever under steady
/// writing, since it begins again only at a moment when nobody reads it; so past [#LOG_BOUND] the
/// writer itself lets it begin again, between two batches (see "Avoiding Excessively Large WAL
/// Files" in SQLite's documentation of WAL).
public final class SqliteFile implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SqliteFile.class);

  private static final long LOG_BOUND = 64L << 20;

  private static final int PAGE = 4096;
  private static final int WRITER_CACHE_PAGES = 4096;
  private static final int BUSY_MILLIS = 1000;

  /// How long the writer waits for readers so that the log can begin again. A read for a customer
  /// is over by then; a backup is not, and then it is tried again after the next checkpoint.
  private static final int TIDY_MILLIS = 25;

  private static final long CHECKPOINT_MILLIS = 250;
  private static final long RESERVE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Path path;
  private final long logBound;
  private final ReservedSpace reserve;
  private boolean reserved;
  private long reserveTried = System.nanoTime();
  private final Connection writing;
  private final Connection checkpointing;
  private final ScheduledExecutorService checkpointer;
  private volatile boolean logTooLong;
  private volatile long logBytes;
  private boolean checkpointFails; // the checkpointer's alone
  private final LongAdder checkpoints = new LongAdder();
  private final LongAdder failedCheckpoints = new LongAdder();
  private volatile @Nullable SQLException failure;

  private SqliteFile(
      Path path, long logBound, ReservedSpace reserve, Connection writing, Connection checkpointing)
      throws SQLException {
    this.path = path;
    this.logBound = logBound;
    this.reserve = reserve;
    this.reserved = reserve.keep();
    this.writing = writing;
    this.writing.setAutoCommit(false);
    this.checkpointing = checkpointing;
    this.checkpointer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(path.getFileName() + "-checkpoint").factory());
    checkpointer.scheduleWithFixedDelay(
        this::checkpoint, CHECKPOINT_MILLIS, CHECKPOINT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// Opens the file, made where there is none, and brings its schema up to date. On a full disk a
  /// reserve beside the file is given up for it.
  ///
  /// @param migrations where Flyway finds the schema's steps, such as `db/catalog`
  /// @throws UnusableException where it is damaged or cannot be written
  /// @throws DiskFailedException where a sync failed
  public static SqliteFile open(Path path, String migrations) {
    return open(path, migrations, LOG_BOUND);
  }

  /// @param logBound bytes of log past which the writer lets it begin again
  static SqliteFile open(Path path, String migrations, long logBound) {
    var reserve = new ReservedSpace(path.resolveSibling("reserve"));
    try {
      return open(path, migrations, logBound, reserve);
    } catch (SQLException | FlywayException | CorruptDataException e) {
      if (DiskError.of(e) != DiskError.CANNOT_WRITE || !reserve.release()) {
        throw unusable(path, e);
      }
      log.warn(
          "{}: {}; deleting the reserve file and trying again",
          path,
          NestedExceptionUtils.getMostSpecificCause(e).getMessage());
    }
    try {
      return open(path, migrations, logBound, reserve);
    } catch (SQLException | FlywayException | CorruptDataException e) {
      throw unusable(path, e);
    }
  }

  private static SqliteFile open(Path path, String migrations, long logBound, ReservedSpace reserve)
      throws SQLException {
    Connection writing = source(path, false).getConnection();
    try {
      syncLog(path, writing);
      IntegrityCheck.quickCheck(writing); // a row that a page has lost is as if it had never been
      migrate(path, migrations);
      DirectorySync.syncNameOf(path); // and its log's: whether that fails SQLite does not look
      Connection checkpointing = source(path, false).getConnection();
      return new SqliteFile(path, logBound, reserve, writing, checkpointing);
    } catch (SQLException | RuntimeException e) {
      writing.close();
      throw e;
    } catch (IOException e) {
      writing.close();
      throw new UnusableFileException("folder of " + path + " cannot be read: " + e, e);
    }
  }

  /// A process that was killed may have left a commit that was written, but not synced: the next
  /// would take it for durable, and a power cut would take it away.
  private static void syncLog(Path path, Connection connection) throws SQLException {
    try (Statement pragma = connection.createStatement()) {
      pragma.execute("PRAGMA wal_checkpoint(PASSIVE)"); // syncs the log before all else
    } catch (SQLException e) {
      if (DiskError.of(e) != DiskError.CANNOT_WRITE) {
        throw e;
      }
      log.warn("{}: checkpoint failed: {}", path, e.getMessage());
    }
  }

  private static void migrate(Path path, String migrations) {
    try {
      Flyway.configure()
          .dataSource(new MigrationSource(path))
          .locations("classpath:db/file", "classpath:" + migrations)
          .load()
          .migrate();
    } catch (NullPointerException e) { // Flyway's, where its own table is damaged
      throw new UnusableFileException(
          "database " + path + " cannot be used: flyway_schema_history is damaged", e);
    }
  }

  /// What a service reads before it begins.
  @FunctionalInterface
  public interface Loading<T> {
    T load() throws SQLException;
  }

  /// Reads what a service must know before it begins.
  ///
  /// @throws UnusableException where that is damaged or cannot be read
  /// @throws DiskFailedException where a sync failed
  public <T> T load(Loading<T> loading) {
    try {
      return loading.load();
    } catch (SQLException | CorruptDataException e) {
      throw unusable(path, e);
    }
  }

  /// The writer's connection: a statement begins a transaction, `commit` or `rollback` ends it. The
  /// writer's thread alone.
  public Connection writing() {
    return writing;
  }

  /// Threads that read, each on its own connection.
  public ReadPool readers(int threads, int queueBound) {
    return new ReadPool(path, threads, queueBound);
  }

  /// Statements of one transaction.
  @FunctionalInterface
  public interface Statements {
    void run() throws SQLException;
  }

  /// Commits the transaction. The writer's thread.
  public void commit() throws SQLException {
    writing.commit();
    throwIfFailed(); // beside the writer, on the very log that it has just synced
  }

  /// Commits the statements together; where that fails nothing of them remains. The writer's
  /// thread.
  public void commit(Statements statements) throws SQLException {
    try {
      statements.run();
      commit();
    } catch (SQLException e) {
      rollback();
      throw e;
    }
  }

  /// Ends a transaction of which nothing is to remain. The writer's thread.
  public void rollback() {
    try {
      writing.rollback();
    } catch (SQLException e) {
      beginInstead(e);
    }
  }

  /// SQLite itself ends a transaction for which there is no room. Then there was none to roll back,
  /// and the next begins here. Within a transaction that cannot be done.
  private void beginInstead(SQLException failure) {
    try (Statement statement = writing.createStatement()) {
      statement.execute("BEGIN");
    } catch (SQLException e) {
      failure.addSuppressed(e);
      throw new IllegalStateException(path + ": the transaction cannot be rolled back", failure);
    }
  }

  /// Commits something small, to learn whether a disk that was full takes writes again. The
  /// writer's thread.
  public void probe() throws SQLException {
    throwIfFailed();
    commit(() -> {
      try (Statement statement = writing.createStatement()) {
        statement.executeUpdate("UPDATE probe SET tries = tries + 1");
      }
    });
    keepReserve();
  }

  /// Lets a log that has grown too long begin again, unless somebody reads for long. The writer's
  /// thread, between two batches.
  public void tidy() throws SQLException {
    throwIfFailed();
    if (!reserved && System.nanoTime() - reserveTried > RESERVE_NANOS) {
      keepReserve();
    }
    if (logTooLong) {
      logTooLong = false;
      writing.setAutoCommit(true);
      try (Statement pragma = writing.createStatement()) {
        pragma.execute("PRAGMA busy_timeout = " + TIDY_MILLIS);
        pragma.execute("PRAGMA wal_checkpoint(RESTART)");
        pragma.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
      } finally {
        writing.setAutoCommit(false);
      }
    }
  }

  /// Bytes in the write-ahead log, as the last checkpoint saw it. Any thread.
  public long logBytes() {
    return logBytes;
  }

  /// How many checkpoints were taken beside the writer since the file was opened. Any thread.
  public long checkpoints() {
    return checkpoints.sum();
  }

  /// How many of them failed. Any thread.
  public long failedCheckpoints() {
    return failedCheckpoints.sum();
  }

  @Override
  public void close() throws SQLException {
    checkpointer.close();
    checkpointing.close();
    writing.rollback();
    writing.close();
  }

  static SQLiteDataSource source(Path path, boolean readOnly) {
    var source = new SQLiteDataSource(config(readOnly));
    source.setUrl("jdbc:sqlite:" + path);
    return source;
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
    if (!readOnly) {
      config.setCacheSize(WRITER_CACHE_PAGES);
      config.setPragma(SQLiteConfig.Pragma.WAL_AUTOCHECKPOINT, "0");
    }
    return config;
  }

  private void keepReserve() {
    reserveTried = System.nanoTime();
    reserved = reserve.keep();
  }

  /// A sync that failed beside the writer, or damage found there, is as fatal as the writer's own.
  private void throwIfFailed() throws SQLException {
    SQLException fatal = failure;
    if (fatal != null) {
      throw fatal;
    }
  }

  private void checkpoint() {
    if (failure != null) {
      return; // never tried again
    }
    try (Statement pragma = checkpointing.createStatement();
        ResultSet result = pragma.executeQuery("PRAGMA wal_checkpoint(PASSIVE)")) {
      result.next();
      logBytes = result.getLong(2) * PAGE;
      logTooLong = logBytes > logBound;
      checkpoints.increment();
      checkpointFails = false;
    } catch (SQLException e) {
      failedCheckpoints.increment();
      if (DiskError.of(e).isFatal()) {
        failure = e;
      }
      if (!checkpointFails) {
        log.warn("{}: checkpoint failed: {}", path, e.getMessage());
      }
      checkpointFails = true;
    }
  }

  private static RuntimeException unusable(Path path, Exception failure) {
    String why =
        String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage())
            .strip()
            .replaceAll("\\R", "; ");
    String message = "database " + path + " cannot be used: " + why;
    return DiskError.of(failure) == DiskError.SYNC_FAILED
        ? new DiskFailedException(message, failure)
        : new UnusableFileException(message, failure);
  }
}
