package toystore.platform.storage;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
/// resolve  a connection lost during COMMIT: connect, lock, grow the epoch, read writer.batch.
///          That number counts only after the commit that read it, which a standby has, too
/// ```
///
/// The server ends the session, and with it the lock, if it hears nothing for [#SESSION_TIMEOUT]: a
/// process that is stopped loses it. The writer therefore commits at least every
/// [#CONFIRM_INTERVAL], and the process serves no reads ([#notReady]) if the last commit began more
/// than [#LEASE] ago, which is before another process can have taken over.
///
/// Statements of the writer are never cancelled: a cancelled wait for a standby leaves a commit
/// that is visible and may be lost (Patroni, issue 1412). For the same reason commits that cannot
/// be resolved end the process: their callers learn that the outcome is unknown.
public final class PostgresSchema implements Database {
  private static final Logger log = LoggerFactory.getLogger(PostgresSchema.class);

  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

  /// The same, until the writer's first commit: a start migrates the schema and reads the state.
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  private static final Duration CONFIRM_INTERVAL = Duration.ofMillis(500);

  /// How long a batch waits for a server: longer than a failover takes.
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

  /// How long a standby waits after the server was away: the writer, which has the state in memory,
  /// connects first if it is alive.
  private static final Duration HEAD_START = Duration.ofSeconds(2);

  private static final int MIN_VERSION = 15;
  private static final String NOT_CONNECTED = "08003";

  private final PostgresServer server;
  private final String schema;
  private final @Nullable StoreIdentity store;
  private final String owner = UUID.randomUUID().toString();
  private final Set<PreparedStatement> collected = new LinkedHashSet<>();
  private @Nullable Connection session;
  private @Nullable Connection candidate; // waits for the lock
  private boolean serverWasAway;
  private boolean hasIdentity;
  private long epoch;
  private long batch;
  private boolean fenced;
  private boolean starting;
  private long triedAt;
  private volatile long confirmedAt;
  private volatile boolean connected;

  private PostgresSchema(PostgresServer server, String schema, @Nullable StoreIdentity store) {
    this.server = server;
    this.schema = schema;
    this.store = store;
  }

  /// Of a process that has no identity.
  public static PostgresSchema of(PostgresServer server, String schema) {
    return of(server, schema, null);
  }

  /// Checks the server, and whether this process may use it.
  ///
  /// @param schema name of the schema, which [#elected] creates
  /// @param store the store of this process; null: it uses the schema of any store
  /// @throws UnusableFileException if the server cannot be used
  public static PostgresSchema of(
      PostgresServer server, String schema, @Nullable StoreIdentity store) {
    try (Connection connection = server.connect(schema);
        Statement statement = connection.createStatement()) {
      requireVersion(server, connection.getMetaData().getDatabaseMajorVersion());
      String commit = setting(statement, "synchronous_commit");
      require(
          server,
          !commit.equals("off"),
          "synchronous_commit",
          "on, or another value that waits for the disk",
          commit);
      String encoding = setting(statement, "server_encoding");
      require(server, encoding.equals("UTF8"), "server_encoding", "UTF8", encoding);
      requireOwn(server, schema, connection);
      var opened = new PostgresSchema(server, schema, store);
      opened.requireSameStore(connection);
      return opened;
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
        String.valueOf(version));
  }

  /// Refuses a schema with tables that no migration of a service has created.
  private static void requireOwn(PostgresServer server, String schema, Connection connection)
      throws SQLException {
    String[] tables = {"TABLE"};
    try (ResultSet first = connection.getMetaData().getTables(null, schema, "%", tables);
        ResultSet history =
            connection.getMetaData().getTables(null, schema, "flyway_schema_history", tables)) {
      if (first.next() && !history.next()) {
        throw new UnusableFileException(
            String.format(
                Locale.ROOT,
                "database %s cannot be used: schema %s has tables of another program, such as %s; use another database",
                server,
                schema,
                first.getString("TABLE_NAME")));
      }
    }
  }

  /// Refuses the schema of another store, which may have got its identity while this process waits.
  private void requireSameStore(@Nullable Connection connection) throws SQLException {
    if (store != null && connection != null && !hasIdentity) {
      hasIdentity = store.check(connection, toString());
    }
  }

  private static String setting(Statement statement, String name) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW " + name)) {
      row.next();
      return row.getString(1);
    }
  }

  private static void require(
      PostgresServer server, boolean valid, String what, String expected, String found) {
    if (!valid) {
      throw new UnusableFileException(
          String.format(
              Locale.ROOT,
              "database %s cannot be used: %s must be %s, got %s",
              server,
              what,
              expected,
              found));
    }
  }

  /// Whether a service has used the schema.
  public boolean exists() throws SQLException {
    try (Connection connection = server.connect(schema);
        ResultSet table =
            connection.getMetaData().getTables(null, schema, "writer", new String[] {"TABLE"})) {
      return table.next();
    }
  }

  /// Becomes the writer, if no other process is and the server answers. Migrates the schema then.
  ///
  /// @throws UnusableFileException if the schema cannot be used
  public boolean elected() {
    try {
      if (serverWasAway) {
        candidate = server.connect(schema);
        serverWasAway = false;
        pause(HEAD_START);
      }
      Connection locked = lock();
      if (locked == null) {
        requireSameStore(candidate);
        return false;
      }
      session = locked; // closed if it cannot be used
      server.migrate(schema);
      if (store != null) {
        store.claim(locked, toString());
      }
      begin(locked, "UPDATE writer SET epoch = epoch + 1, owner = ? RETURNING epoch, batch");
      return true;
    } catch (FlywayException | SQLException e) {
      close();
      if (StorageError.of(e) == StorageError.DISCONNECTED) {
        log.info("{}: {}", this, e.getMessage());
        serverWasAway = true;
        return false;
      }
      throw server.unusable(e);
    }
  }

  /// A session that has the lock, or null.
  private @Nullable Connection lock() throws SQLException {
    Connection current = candidate;
    if (current == null) {
      current = server.connect(schema);
      candidate = current;
    }
    try (Statement statement = current.createStatement()) {
      setTimeouts(statement, START_TIMEOUT);
      try (ResultSet row =
          statement.executeQuery(
              String.format(
                  Locale.ROOT,
                  "SELECT pg_try_advisory_lock(hashtextextended('toystore %s', 0))",
                  schema))) {
        row.next();
        if (row.getBoolean(1)) {
          current.setAutoCommit(false);
          candidate = null;
          return current;
        }
      }
      requireOwner(statement);
      return null;
    } catch (SQLException e) {
      candidate = null;
      current.close();
      throw e;
    }
  }

  /// Checks that another session with the lock, if it is a writer's, is an earlier one of this
  /// process, which the server will end.
  private void requireOwner(Statement statement) throws SQLException {
    if (epoch == 0) {
      return; // was never the writer
    }
    try (ResultSet row = statement.executeQuery("SELECT owner FROM writer")) {
      row.next();
      if (!owner.equals(row.getString(1))) {
        throw takenOver();
      }
    }
  }

  private TakenOverException takenOver() {
    return new TakenOverException(this + ": another process has taken over", null);
  }

  private static void setTimeouts(Statement statement, Duration timeout) throws SQLException {
    for (String name : List.of("idle_session_timeout", "idle_in_transaction_session_timeout")) {
      statement.execute(String.format(Locale.ROOT, "SET %s = %d", name, timeout.toMillis()));
    }
  }

  /// Begins to use a session as the writer's.
  ///
  /// @param claim changes the row of table `writer` and returns epoch and batch
  /// @throws TakenOverException if the claim changed no row
  private void begin(Connection locked, String claim) throws SQLException {
    long began = System.nanoTime();
    try (PreparedStatement statement = locked.prepareStatement(claim)) {
      statement.setString(1, owner);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw takenOver();
        }
        epoch = row.getLong(1);
        batch = row.getLong(2);
      }
      locked.commit();
    } catch (SQLException e) {
      locked.close();
      throw e;
    }
    session = locked;
    starting = true;
    confirmedAt = began;
    connected = true;
  }

  @Override
  public Connection writing() throws SQLException {
    if (!collected.isEmpty()) {
      flush();
    }
    return connection();
  }

  @Override
  public Connection connection() throws SQLException {
    if (session == null) {
      throw new SQLException(this + ": not connected", NOT_CONNECTED);
    }
    return session;
  }

  @Override
  public void add(WriterStatement statement) throws SQLException {
    PreparedStatement prepared = statement.prepared();
    prepared.addBatch();
    collected.add(prepared);
  }

  @Override
  public void flush() throws SQLException {
    fence();
    for (PreparedStatement statement : collected) {
      try {
        statement.executeBatch();
      } catch (BatchUpdateException e) { // its message has the values of a row
        throw e.getNextException() == null ? e : e.getNextException();
      }
    }
    collected.clear();
  }

  /// Makes the transaction one of this writer.
  private void fence() throws SQLException {
    if (fenced) {
      return;
    }
    try (PreparedStatement statement =
        connection().prepareStatement("UPDATE writer SET batch = ? WHERE epoch = ?")) {
      statement.setLong(1, batch + 1);
      statement.setLong(2, epoch);
      if (statement.executeUpdate() != 1) {
        throw takenOver();
      }
    }
    if (starting) {
      try (Statement statement = connection().createStatement()) {
        setTimeouts(statement, SESSION_TIMEOUT);
      }
    }
    fenced = true;
  }

  @Override
  public void commit() throws SQLException {
    long began = System.nanoTime();
    flush();
    try {
      connection().commit();
    } catch (SQLException e) {
      if (StorageError.of(e) != StorageError.DISCONNECTED) {
        throw e;
      }
      resolve(e);
      return;
    }
    batch++;
    fenced = false;
    starting = false;
    confirmedAt = began;
  }

  /// Finds out whether the commit was done whose answer was not received.
  ///
  /// @throws TakenOverException if that cannot be found out
  /// @throws SQLException if it was not done
  private void resolve(SQLException failure) throws SQLException {
    log.warn("{}: connection lost during commit {}: {}", this, batch + 1, failure.getMessage());
    long inDoubt = batch + 1;
    disconnect();
    if (!reconnect(PATIENCE)) {
      throw new TakenOverException(
          this
              + ": no answer for "
              + PATIENCE.toSeconds()
              + " s, so it is unknown whether a commit was done",
          failure);
    }
    boolean done = batch == inDoubt;
    log.warn("{}: commit {} was {}", this, inDoubt, done ? "done" : "not done");
    if (!done) {
      throw new SQLException(
          this + ": the connection was lost before the commit", NOT_CONNECTED, failure);
    }
  }

  @Override
  public boolean reconnected(Exception failure) throws SQLException {
    return reconnected(failure, PATIENCE);
  }

  private boolean reconnected(Exception failure, Duration patience) throws SQLException {
    return StorageError.of(failure) == StorageError.DISCONNECTED
        && (session != null || reconnect(patience));
  }

  /// Connects and becomes the writer again.
  ///
  /// @return false if the server did not answer, or an earlier session still has the lock
  /// @throws TakenOverException if another process was the writer meanwhile
  private boolean reconnect(Duration patience) throws SQLException {
    long end = System.nanoTime() + patience.toNanos();
    do {
      try {
        Connection locked = lock();
        if (locked != null) {
          begin(
              locked, "UPDATE writer SET epoch = epoch + 1 WHERE owner = ? RETURNING epoch, batch");
          log.info("{}: connected again", this);
          return true;
        }
      } catch (SQLException e) {
        if (StorageError.of(e) != StorageError.DISCONNECTED) {
          throw e;
        }
        log.debug("{}: {}", this, e.getMessage());
      }
      pause(RETRY_INTERVAL);
    } while (System.nanoTime() < end);
    return false;
  }

  private static void pause(Duration time) throws SQLException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted", NOT_CONNECTED, e);
    }
  }

  @Override
  public void rollback() {
    fenced = false;
    if (session == null) {
      return;
    }
    try {
      for (PreparedStatement statement : collected) {
        statement.clearBatch();
      }
      collected.clear();
      session.rollback();
    } catch (SQLException e) {
      log.debug("{}: {}", this, e.getMessage());
      disconnect();
    }
  }

  private void disconnect() {
    connected = false;
    collected.clear();
    fenced = false;
    close(session);
    session = null;
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
    if (session == null && !reconnect(Duration.ZERO)) {
      throw new SQLException(this + ": not connected", NOT_CONNECTED);
    }
    commit();
  }

  /// Confirms that this process is the writer, or connects again.
  @Override
  public void tidy() throws SQLException {
    long now = System.nanoTime();
    if (now - Math.max(confirmedAt, triedAt) < CONFIRM_INTERVAL.toNanos()) {
      return;
    }
    triedAt = now;
    try {
      probe();
    } catch (SQLException e) {
      rollback();
      if (!reconnected(e, Duration.ZERO)) {
        throw e;
      }
    }
  }

  @Override
  public @Nullable String notReady() {
    if (!connected) {
      return this + ": not connected";
    }
    long silent = System.nanoTime() - confirmedAt;
    return silent < LEASE.toNanos()
        ? null
        : String.format(
            Locale.ROOT, "%s: no commit for %d s", this, Duration.ofNanos(silent).toSeconds());
  }

  @Override
  public ReadPool readers(int threads, int queueBound) {
    return new ReadPool(
        schema,
        Stream.<ReadPool.ReadConnection>generate(() -> new PostgresReader(server, schema))
            .limit(threads)
            .toList(),
        queueBound);
  }

  @Override
  public <T> T load(Loader<T> loader) {
    try {
      return loader.load();
    } catch (SQLException | CorruptDataException e) {
      throw server.unusable(e);
    }
  }

  /// Ends the session, so that a standby takes over at once.
  @Override
  public void close() {
    disconnect();
    close(candidate);
    candidate = null;
  }

  @Override
  public String toString() {
    return server + " schema " + schema;
  }
}
