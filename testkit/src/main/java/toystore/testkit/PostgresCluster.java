package toystore.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/// A PostgreSQL server for the tests of a module: one that is started when it is first used and ends
/// with the JVM. Durable, unlike the library's default.
public final class PostgresCluster {
  private static final EmbeddedPostgres SERVER = start();

  private PostgresCluster() {}

  private static EmbeddedPostgres start() {
    try {
      return EmbeddedPostgres.builder()
          .setServerConfig("fsync", "on")
          .setServerConfig("synchronous_commit", "on")
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Creates an empty database.
  ///
  /// @return its URL, for the user `postgres` with any password
  public static String database(String name) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
      statement.execute("CREATE DATABASE " + name);
    }
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + name;
  }

  public static int port() {
    return SERVER.getPort();
  }

  /// A connection of the superuser.
  public static Connection connect() throws SQLException {
    return SERVER.getPostgresDatabase().getConnection();
  }
}
