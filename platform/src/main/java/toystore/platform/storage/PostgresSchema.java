package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A schema of a PostgreSQL server, of which one process is the writer.
///
/// ```
/// elect    session advisory lock: one process has it, the others are standbys and try again
/// fence    writer.epoch: grows with each writer and each new connection. Each batch begins with
///          UPDATE writer SET batch = ? WHERE epoch = ?, which must change one row
/// resolve  the answer to a COMMIT was lost: connect, lock, grow the epoch, read writer.batch.
///          That number counts only after the commit that read it, which a standby has, too
/// ```
///
/// The server ends the session, and with it the lock, if it hears nothing for
/// [WriterSession#TIMEOUT]: a process that is stopped loses it. The writer therefore commits at
/// least every [#CONFIRM_INTERVAL], and the process serves no reads ([#notReady]) if the last
/// commit began more than [#LEASE] ago, which is before another process can have taken over.
///
/// Statements of the writer are never cancelled: a cancelled wait for a standby leaves a commit
/// that is visible and may be lost (Patroni, issue 1412). For the same reason a commit that cannot
/// be resolved ends the process: its callers learn that the outcome is unknown. Whatever else the
/// server answers to a connection attempt, the process tries again, for [Patience#connection].
public final class PostgresSchema implements Database {
  private static final Logger log = LoggerFactory.getLogger(PostgresSchema.class);

  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration CONFIRM_INTERVAL = Duration.ofSeconds(1);
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

  /// How long a standby waits after the server was away: the writer, which has the state in memory,
  /// connects first if it is alive.
  private static final Duration HEAD_START = Duration.ofSeconds(2);

  private static final int MIN_VERSION = 15;
  private static final String NONE = "none";
  private static final String CLAIM = "UPDATE writer SET epoch = epoch + 1, owner = ?";
  private static final String RECLAIM = "UPDATE writer SET epoch = epoch + 1 WHERE owner = ?";

  /// How long a process waits for the server.
  ///
  /// @param batch a batch, or a commit in doubt: longer than a failover takes
  /// @param connection all: then the process ends, because another one may reach the server, or
  ///   have the right password
  record Patience(Duration batch, Duration connection) {
    static final Patience USUAL = new Patience(Duration.ofSeconds(40), Duration.ofSeconds(60));
  }

  private final PostgresServer server;
  private final String schema;
  private final Patience patience;
  private final @Nullable StoreIdentity store;
  private final String owner = UUID.randomUUID().toString();
  private String logged = ""; // the last failure; it is not repeated until it changes
  private WriterState state = new WriterState.Away();
  private @Nullable Connection candidate; // waits for the lock
  private String seen = ""; // the applied migrations, as the next one
  private String validated = NONE; // those that are all of this version
  private boolean wasStandby;
  private boolean wasWriter;
  private boolean serverWasAway;
  private boolean hasIdentity;
  private long batch; // the last that is known to be committed
  private long lostAt = System.nanoTime(); // when the server was last reached
  private long triedAt = lostAt;
  private volatile long confirmedAt;
  private volatile boolean loaded;

  /// Why there is no session, or null.
  private volatile @Nullable String away = "not connected";

  private volatile String lastFailure = "";

  /// @param schema name of the schema, which [#tryBecomeWriter] creates
  /// @param store the store of this process; null: it uses the schema of any store
  public PostgresSchema(PostgresServer server, String schema, @Nullable StoreIdentity store) {
    this(server, schema, store, Patience.USUAL);
  }

  PostgresSchema(
      PostgresServer server, String schema, @Nullable StoreIdentity store, Patience patience) {
    this.server = server;
    this.schema = schema;
    this.store = store;
    this.patience = patience;
  }

  /// Creates and checks that of a process that has no identity.
  public static PostgresSchema of(PostgresServer server, String schema) {
    return of(server, schema, null);
  }

  /// Creates and checks it.
  public static PostgresSchema of(
      PostgresServer server, String schema, @Nullable StoreIdentity store) {
    var opened = new PostgresSchema(server, schema, store);
    opened.check();
    return opened;
  }

  @Override
  public void check() {
    try (Connection connection = server.connect(schema);
        Statement statement = connection.createStatement()) {
      server.requireSessions();
      requireVersion(server, connection.getMetaData().getDatabaseMajorVersion());
      String encoding = text(statement, "SHOW server_encoding");
      require(server, "UTF8".equals(encoding), "server_encoding", "UTF8", encoding);
      requireOwn(connection);
      requireSameStore(connection);
    } catch (SQLException e) {
      throw server.unusable(e);
    }
  }

  static void requireVersion(PostgresServer server, int version) {
    require(
        server,
        version >= MIN_VERSION,
        "version of PostgreSQL",
        MIN_VERSION + " or newer",
        version);
  }

  /// Refuses a schema with tables that no migration of a service has created.
  private void requireOwn(Connection connection) throws SQLException {
    String[] tables = {"TABLE"};
    try (ResultSet first = connection.getMetaData().getTables(null, schema, "%", tables);
        ResultSet history =
            connection.getMetaData().getTables(null, schema, "flyway_schema_history", tables)) {
      if (first.next() && !history.next()) {
        throw new UnusableFileException(
            format(
                "database %s cannot be used: schema %s has tables of another program, such as %s; use another database",
                server, schema, first.getString("TABLE_NAME")));
      }
    }
  }

  /// Refuses the schema of another store, which may have got its identity while this process waits.
  private void requireSameStore(@Nullable Connection connection) throws SQLException {
    if (store != null && connection != null && !hasIdentity) {
      hasIdentity = store.check(connection, toString());
    }
  }

  private static @Nullable String text(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static void require(
      PostgresServer server, boolean valid, String what, String expected, @Nullable Object found) {
    if (!valid) {
      throw new UnusableFileException(
          format(
              "database %s cannot be used: %s must be %s, got %s", server, what, expected, found));
    }
  }

  /// @throws UnusableFileException also if the server has not answered for [Patience#connection]
  @Override
  public boolean tryBecomeWriter() {
    try {
      if (serverWasAway) {
        candidate = server.connect(schema);
        serverWasAway = false;
        pause(HEAD_START);
      }
      Connection locked = lock();
      lostAt = System.nanoTime();
      if (locked == null) {
        requireSameStore(candidate);
        validate(candidate);
        away = STANDBY;
        wasStandby = true;
        logEnd();
        return false;
      }
      candidate = locked; // closed if it cannot be used
      if (!migrations(locked).equals(validated)) {
        locked.rollback(); // no lock on a table
        server.migrate(schema);
      }
      if (store != null) {
        store.claim(locked, toString());
      }
      begin(locked, CLAIM);
      return true;
    } catch (FlywayException | SQLException e) {
      close();
      boolean isPassing =
          StorageError.of(e) == StorageError.DISCONNECTED
              || (wasStandby && StorageError.of(e).isTemporary());
      if (!isPassing || isOutOfPatience(lostAt, patience.connection)) {
        throw server.unusable(e);
      }
      recordFailure(e);
      logFailure();
      serverWasAway = true;
      return false;
    }
  }

  /// Notes whether the schema needs no migration, which would prolong a takeover.
  private void validate(@Nullable Connection standby) throws SQLException {
    String applied = standby == null ? NONE : migrations(standby);
    if (!applied.equals(seen)) {
      seen = applied;
      validated = server.isMigrated(schema) ? applied : NONE;
    }
  }

  private static String migrations(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return text(statement, "SELECT to_regclass('flyway_schema_history')") == null
          ? ""
          : String.valueOf(
              text(
                  statement,
                  "SELECT string_agg(concat_ws(' ', installed_rank, version, checksum, success), ','"
                      + " ORDER BY installed_rank) FROM flyway_schema_history"));
    }
  }

  /// A session that has the lock, or null.
  private @Nullable Connection lock() throws SQLException {
    Connection current = candidate;
    if (current == null) {
      current = server.connect(schema);
      candidate = current;
    }
    try {
      if (WriterSession.tryLock(current, schema)) {
        candidate = null;
        return current;
      }
      requireOwner(current);
      return null;
    } catch (SQLException e) {
      candidate = null;
      current.close();
      throw e;
    }
  }

  /// Checks that another session with the lock, if it is a writer's, is an earlier one of this
  /// process, which the server will end.
  private void requireOwner(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (wasWriter && !owner.equals(text(statement, "SELECT owner FROM writer"))) {
        throw takenOver();
      }
    }
  }

  private TakenOverException takenOver() {
    return new TakenOverException(this + ": another process has taken over", null);
  }

  /// @param claim changes the row of table `writer` if this process may be the writer
  private void begin(Connection locked, String claim) throws SQLException {
    long began = System.nanoTime();
    try {
      WriterSession session = WriterSession.begin(locked, claim + " RETURNING epoch, batch", owner);
      if (session == null) {
        throw takenOver();
      }
      if (wasWriter && session.batch() < batch) {
        throw new TakenOverException(
            format(
                "%s: the last batch is %d, expected %d or later: the database was restored, or a failover lost commits; the rows must be loaded again",
                this, session.batch(), batch),
            null);
      }
      batch = session.batch();
      candidate = null;
      state = session;
    } catch (SQLException e) {
      close(locked);
      throw e;
    }
    wasWriter = true;
    confirmedAt = began;
    away = null;
  }

  @Override
  public Connection queryConnection() throws SQLException {
    WriterSession session = state.session();
    if (session.hasCollected()) {
      flush();
    }
    return session.connection();
  }

  @Override
  public Connection statementConnection() throws SQLException {
    return state.session().connection();
  }

  @Override
  public void add(WriterStatement statement) throws SQLException {
    state.session().add(statement.prepare());
  }

  @Override
  public void flush() throws SQLException {
    boolean isWriter;
    try {
      isWriter = state.session().flush();
    } catch (SQLException e) {
      if (StorageError.of(e) == StorageError.DISCONNECTED) { // or no longer allowed to write
        disconnect(new WriterState.Away(), StorageError.reason(e));
      }
      throw e;
    }
    if (!isWriter) {
      throw takenOver();
    }
  }

  @Override
  public void commit() throws SQLException {
    long began = System.nanoTime();
    flush();
    WriterSession session = state.session();
    Exception unanswered = session.commit();
    if (unanswered == null) {
      batch = session.batch();
      confirmedAt = began;
      logEnd();
      return;
    }
    var doubt = new WriterState.InDoubt(session.batch() + 1, unanswered);
    disconnect(doubt, "the answer to a commit was lost");
    log.warn("{}: no answer to commit {}: {}", this, doubt.batch(), unanswered.getMessage());
    if (!isDone(doubt)) {
      throw PostgresServer.notConnected("the connection was lost before the commit", unanswered);
    }
  }

  private boolean isDone(WriterState.InDoubt doubt) throws TakenOverException {
    try {
      if (!reconnect(patience.batch)) {
        throw PostgresServer.notConnected(lastFailure, doubt.failure());
      }
      boolean done = state.session().batch() == doubt.batch();
      log.warn("{}: commit {} was {}", this, doubt.batch(), done ? "done" : "not done");
      return done;
    } catch (SQLException e) {
      throw new TakenOverException(
          format("%s: unknown whether commit %d was done: %s", this, doubt.batch(), e.getMessage()),
          e);
    }
  }

  @Override
  public boolean tryReconnect(Exception failure) throws SQLException {
    return StorageError.of(failure) == StorageError.DISCONNECTED
        && (state instanceof WriterSession || reconnect(patience.batch));
  }

  /// @return false if it did not become the writer, or an earlier session still has the lock
  /// @throws TakenOverException if another process was the writer meanwhile, or the server was not
  ///   reached for [Patience#connection]
  private boolean reconnect(Duration time) throws SQLException {
    long began = System.nanoTime();
    while (true) {
      try {
        Connection locked = lock();
        if (locked != null) {
          begin(locked, RECLAIM);
          logEnd();
          return true;
        }
      } catch (SQLException | RuntimeException e) {
        if (StorageError.of(e).isFatal()) {
          throw e;
        }
        recordFailure(e);
        if (!time.isZero()) { // else the caller logs
          logFailure();
        }
      }
      if (isOutOfPatience(lostAt, patience.connection)) {
        throw new TakenOverException(
            format(
                "%s: no connection for %d s: %s",
                this, patience.connection.toSeconds(), lastFailure),
            null);
      }
      if (isOutOfPatience(began, time)) {
        return false;
      }
      pause(RETRY_INTERVAL);
    }
  }

  private static boolean isOutOfPatience(long since, Duration patience) {
    return System.nanoTime() - since >= patience.toNanos();
  }

  private void recordFailure(Exception e) {
    lastFailure = reason(e);
    if (!(state instanceof WriterSession)) {
      away = "not connected: " + lastFailure;
    }
  }

  private void logFailure() {
    if (!lastFailure.equals(logged)) {
      logged = lastFailure;
      log.warn("{}: {}", this, lastFailure);
    }
  }

  private void logEnd() {
    lastFailure = "";
    if (!logged.isEmpty()) {
      logged = "";
      log.info("{}: connected again", this);
    }
  }

  private static String reason(Exception e) {
    String reason = StorageError.reason(e);
    return reason.contains("targetServerType")
        ? "no server of the URL is a primary that accepts changes: it is a standby, or default_transaction_read_only is on"
        : reason;
  }

  private static void pause(Duration time) throws SQLException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PostgresServer.notConnected("interrupted", e);
    }
  }

  @Override
  public void rollback() {
    if (state instanceof WriterSession session) {
      try {
        session.rollback();
      } catch (SQLException e) {
        disconnect(new WriterState.Away(), StorageError.reason(e));
      }
    }
  }

  private void disconnect(WriterState next, String reason) {
    if (state instanceof WriterSession session) {
      lostAt = System.nanoTime();
      away = "not connected: " + reason;
      close(session.connection());
    }
    state = next;
  }

  private void close(@Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      log.debug("{}: {}", this, e.getMessage());
    }
  }

  @Override
  public void probe() throws SQLException {
    triedAt = System.nanoTime();
    if (!(state instanceof WriterSession) && !reconnect(Duration.ZERO)) {
      throw PostgresServer.notConnected(this + ": not connected: " + lastFailure, null);
    }
    try {
      commit();
    } catch (SQLException e) {
      recordFailure(e);
      rollback();
      throw e;
    }
  }

  /// Confirms that this process is the writer, or connects again.
  @Override
  public void tidy() throws SQLException {
    if (System.nanoTime() - Math.max(confirmedAt, triedAt) < CONFIRM_INTERVAL.toNanos()) {
      return;
    }
    try {
      probe();
    } catch (SQLException e) {
      if (state instanceof WriterSession || !reconnect(Duration.ZERO)) {
        throw e;
      }
    }
  }

  @Override
  public @Nullable String notReady() {
    String reason = away;
    if (reason != null) {
      return reason.equals(STANDBY) ? reason : this + ": " + reason;
    }
    if (!loaded) {
      return NOT_LOADED;
    }
    long silent = System.nanoTime() - confirmedAt;
    return silent < LEASE.toNanos()
        ? null
        : format(
                "%s: no commit for %d s %s",
                this, Duration.ofNanos(silent).toSeconds(), lastFailure)
            .strip();
  }

  @Override
  public @Nullable String notServing() {
    return notReady();
  }

  @Override
  public Dialect dialect() {
    return Dialect.POSTGRESQL;
  }

  @Override
  public ReadPool readers(int threads, int queueBound) {
    return new ReadPool(
        server,
        schema,
        Stream.<ReadPool.ReadConnection>generate(() -> new PostgresReader(server, schema))
            .limit(threads)
            .toList(),
        queueBound);
  }

  @Override
  public void load(StatementBlock state) {
    try {
      state.run();
      loaded = true;
    } catch (SQLException | CorruptDataException e) {
      throw server.unusable(e);
    }
  }

  /// Ends the session, so that a standby takes over at once.
  @Override
  public void close() {
    disconnect(new WriterState.Away(), "closed");
    close(candidate);
    candidate = null;
  }

  @Override
  public String toString() {
    return server + " schema " + schema;
  }
}
