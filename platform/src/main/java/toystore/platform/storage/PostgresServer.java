package toystore.platform.storage;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.springframework.core.NestedExceptionUtils;

/// How to reach a PostgreSQL server.
///
/// @param url `jdbc:postgresql://host:port/database`; it may name several hosts
public record PostgresServer(String url, String user, String password) {
  /// For every connection; the URL may have other values. Seconds.
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "targetServerType", "primary",
          "hostRecheckSeconds", "0", // a demoted primary is not remembered
          "connectTimeout", "2",
          "loginTimeout", "3",
          "socketTimeout", "5",
          "tcpKeepAlive", "true",
          "ApplicationName", "toystore",
          "reWriteBatchedInserts", "true");

  /// Opens a connection whose statements use a schema.
  Connection connect(String schema) throws SQLException {
    Properties properties = properties();
    properties.setProperty("currentSchema", schema);
    return DriverManager.getConnection(url, properties);
  }

  /// @throws UnusableFileException if the schema is that of a newer version
  void migrate(String schema) {
    SchemaMigration.run(
        Flyway.configure()
            .dataSource(url, user, password)
            .jdbcProperties(Map.of("socketTimeout", "0"))
            .schemas(schema),
        "database " + this + " schema " + schema,
        "db-postgresql/writer",
        "db-postgresql/" + schema);
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
