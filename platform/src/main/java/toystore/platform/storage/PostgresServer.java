package toystore.platform.storage;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/// How to reach a PostgreSQL server.
///
/// @param url `jdbc:postgresql://host:port/database`; it may name several hosts
/// @param login is read for each connection, so that a changed password is used
public record PostgresServer(String url, LoginSource login) {
  private static final int ANSWER_TIMEOUT_MILLIS = 5_000;
  private static final String CONNECTION_DOES_NOT_EXIST = "08003";

  /// For every connection; the URL may have other values. Timeouts are in seconds, unless stated.
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "targetServerType", "primary",
          "hostRecheckSeconds", "0", // a demoted primary is not remembered
          "loadBalanceHosts", "true", // the first host may be one that does not answer
          "connectTimeout", "2",
          "sslResponseTimeout", "1000", // milliseconds
          "socketTimeout", "2", // of the login; then the next host is tried
          "tcpKeepAlive", "true",
          "ApplicationName", "toystore",
          "reWriteBatchedInserts", "true");

  /// Sets in the session what a role or a database may have set for all sessions. A commit waits
  /// for the disks of the server and its synchronous standbys, or for more. An older server does
  /// not have all of these settings.
  private static final String SETTINGS =
      """
      SELECT set_config(name, CASE name
          WHEN 'search_path' THEN quote_ident(?)
          WHEN 'synchronous_commit' THEN CASE setting WHEN 'remote_apply' THEN setting ELSE 'on' END
          WHEN 'default_transaction_isolation' THEN 'read committed'
          ELSE '0' END, false)
      FROM pg_settings
      WHERE name IN ('search_path', 'statement_timeout', 'transaction_timeout', 'lock_timeout',
        'idle_session_timeout', 'idle_in_transaction_session_timeout',
        'synchronous_commit', 'default_transaction_isolation')
      """;

  public record Login(String user, String password) {
    @Override
    public String toString() {
      return "Login[user=" + user + "]";
    }
  }

  @FunctionalInterface
  public interface LoginSource {
    /// @throws IOException if a file with one of them cannot be read
    Login read() throws IOException;
  }

  public PostgresServer(String url, String user, String password) {
    this(url, () -> new Login(user, password));
  }

  Connection connect(String schema) throws SQLException {
    return connect(schema, ANSWER_TIMEOUT_MILLIS);
  }

  private Connection connect(String schema, int answerTimeoutMillis) throws SQLException {
    Connection connection = DriverManager.getConnection(url, properties());
    try (Statement statement = connection.createStatement();
        PreparedStatement settings = connection.prepareStatement(SETTINGS)) {
      statement.execute("SET statement_timeout = 0"); // the next one takes a millisecond
      settings.setString(1, schema);
      settings.execute();
      connection.setNetworkTimeout(Runnable::run, answerTimeoutMillis);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /// Refuses a pool of connections, such as PgBouncer, that gives a session another connection to
  /// the server for each transaction: a lock of the session would then be everybody's.
  ///
  /// @throws UnusableFileException if there is one
  void requireSessions() throws SQLException {
    try (Connection first = connect("public")) {
      int pid = backend(first);
      if (pid == first.unwrap(PGConnection.class).getBackendPID()) {
        return; // no pool
      }
      try (Connection second = connect("public")) {
        second.setAutoCommit(false);
        if (backend(second) == pid || backend(first) != pid) {
          throw new UnusableFileException(
              "database "
                  + this
                  + " cannot be used: expected a session for each connection, got a pool that shares them between transactions, such as PgBouncer with pool_mode=transaction; connect to the server itself, or pool by session");
        }
      }
    }
  }

  private static int backend(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  /// @throws UnusableFileException if the schema is that of a newer version
  void migrate(String schema) {
    SchemaMigration.run(migration(schema), "database " + this + " schema " + schema);
  }

  /// Whether a schema has the migrations of this version, and no others.
  boolean isMigrated(String schema) {
    return migration(schema).validateWithResult().validationSuccessful;
  }

  private Flyway migration(String schema) {
    var patient = new PGSimpleDataSource() { // Flyway can set no timeout for the login alone
          @Override
          public Connection getConnection() throws SQLException {
            return connect(schema, 0);
          }
        };
    return SchemaMigration.of(
        Flyway.configure().dataSource(patient).schemas(schema),
        "db-postgresql/writer",
        "db-postgresql/" + schema);
  }

  /// Ends all sessions of the services that use the database, to inject a fault.
  public void endSessions() throws SQLException {
    try (Connection connection = connect("public");
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND usename = current_user
            AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()
          """);
    }
  }

  private Properties properties() throws SQLException {
    var properties = new Properties();
    properties.putAll(DEFAULTS);
    try {
      Login current = login.read();
      properties.setProperty("user", current.user);
      properties.setProperty("password", current.password);
    } catch (IOException e) {
      throw notConnected("user or password cannot be read: " + e, e);
    }
    return properties;
  }

  /// The error of a connection that was lost, or could not be used.
  static SQLException notConnected(String message, @Nullable Exception cause) {
    return new SQLException(message, CONNECTION_DOES_NOT_EXIST, cause);
  }

  UnusableFileException unusable(Exception failure) {
    return failure instanceof UnusableFileException known
        ? known
        : new UnusableFileException(
            "database " + this + " cannot be used: " + StorageError.reason(failure), failure);
  }

  /// The URL without its parameters.
  @Override
  public String toString() {
    return url.replaceFirst("[?].*", "");
  }
}
