package toystore.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;

/// A PostgreSQL server: one for each JVM, which is started when it is first used and ends with the
/// JVM.
public final class PostgresCluster {
  private static final EmbeddedPostgres SERVER = start();
  private static final Set<String> REUSED = new HashSet<>();

  private PostgresCluster() {}

  private static EmbeddedPostgres start() {
    try {
      return PostgresPair.durable().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Creates an empty database.
  ///
  /// @return its URL, for the user `postgres` with any password
  public static String database(String name) throws SQLException {
    execute(
        SERVER.getPostgresDatabase(),
        "DROP DATABASE IF EXISTS \"" + name + "\" WITH (FORCE)",
        "CREATE DATABASE \"" + name + "\"");
    return url(name);
  }

  /// Returns a database without the schema of the same name, and ends all connections to it. Takes
  /// a tenth of the time of [#database].
  static synchronized String databaseWithoutSchema(String name) throws SQLException {
    if (REUSED.add(name)) {
      return database(name);
    }
    execute(
        SERVER.getDatabase("postgres", name),
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid()",
        "DROP SCHEMA IF EXISTS \"" + name + "\" CASCADE");
    return url(name);
  }

  private static String url(String name) {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + name;
  }

  private static void execute(DataSource database, String... statements) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  public static int port() {
    return SERVER.getPort();
  }

  /// A connection of the superuser.
  public static Connection connect() throws SQLException {
    return SERVER.getPostgresDatabase().getConnection();
  }
}
