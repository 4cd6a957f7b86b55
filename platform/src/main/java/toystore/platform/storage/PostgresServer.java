package toystore.platform.storage;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.core.NestedExceptionUtils;

/// How to reach a PostgreSQL server.
///
/// @param url `jdbc:postgresql://host:port/database`; it may name several hosts
public record PostgresServer(String url, String user, String password) {
  private static final int ANSWER_TIMEOUT_MILLIS = 5_000;

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

  /// Opens a connection whose statements use a schema.
  Connection connect(String schema) throws SQLException {
    return connect(schema, ANSWER_TIMEOUT_MILLIS);
  }

  private Connection connect(String schema, int answerTimeoutMillis) throws SQLException {
    Properties properties = properties();
    properties.setProperty("currentSchema", schema);
    Connection connection = DriverManager.getConnection(url, properties);
    connection.setNetworkTimeout(Runnable::run, answerTimeoutMillis);
    return connection;
  }

  /// @throws UnusableFileException if the schema is that of a newer version
  void migrate(String schema) {
    var patient = new PGSimpleDataSource() { // Flyway can set no timeout for the login alone
          @Override
          public Connection getConnection() throws SQLException {
            return connect(schema, 0);
          }
        };
    SchemaMigration.run(
        Flyway.configure().dataSource(patient).schemas(schema),
        "database " + this + " schema " + schema,
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

  private Properties properties() {
    var properties = new Properties();
    properties.putAll(DEFAULTS);
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    return properties;
  }

  UnusableFileException unusable(Exception failure) {
    String why =
        String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage())
            .strip()
            .replaceAll("\\R\\s*", "; ");
    return new UnusableFileException("database " + this + " cannot be used: " + why, failure);
  }

  /// The URL without its parameters, which may have a password.
  @Override
  public String toString() {
    return url.replaceFirst("[?].*", "");
  }
}
