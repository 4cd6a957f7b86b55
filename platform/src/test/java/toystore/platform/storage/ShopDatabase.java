package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import toystore.testkit.PostgresCluster;

/// The database `numbers`, which belongs to the role `shop` with a password, and what its
/// administrator does. One thread.
final class ShopDatabase {
  private static final String ROLE =
      """
      DO $$ BEGIN CREATE ROLE shop; EXCEPTION WHEN duplicate_object THEN END $$;
      ALTER ROLE shop LOGIN PASSWORD 'secret' CONNECTION LIMIT -1;
      ALTER ROLE shop RESET ALL;
      ALTER DATABASE numbers OWNER TO shop
      """;

  private ShopDatabase() {}

  /// Creates the database and the role, and lets the role in with its password only.
  static void create() throws SQLException, IOException {
    administer("postgres", "ALTER SYSTEM RESET ALL", "DROP DATABASE IF EXISTS \"Čísla\"");
    PostgresCluster.database("numbers");
    Path rules = Path.of(queried("SHOW hba_file"));
    String password = "host all shop 127.0.0.1/32 scram-sha-256\n";
    if (!Files.readString(rules).startsWith(password)) {
      Files.writeString(rules, password + Files.readString(rules));
    }
    administer("postgres", ROLE, "SELECT pg_reload_conf()");
  }

  static String url() {
    return "jdbc:postgresql://127.0.0.1:" + PostgresCluster.port() + "/numbers";
  }

  static PostgresServer server() {
    return new PostgresServer(url(), "shop", "secret");
  }

  /// Executes commands of the superuser, whose commits wait for no standby.
  static void administer(String database, String... commands) throws SQLException {
    try (Connection connection = superuser(database);
        Statement statement = connection.createStatement()) {
      statement.execute("SET synchronous_commit = local");
      for (String command : commands) {
        statement.execute(command);
      }
    }
  }

  static String queried(String sql) throws SQLException {
    try (Connection connection = superuser("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static Connection superuser(String database) throws SQLException {
    return DriverManager.getConnection(
        format("jdbc:postgresql://127.0.0.1:%d/%s", PostgresCluster.port(), database),
        "postgres",
        "");
  }

  /// Lets all commits wait for a standby that does not exist.
  static void holdCommits() throws SQLException {
    administer(
        "postgres",
        "ALTER SYSTEM SET synchronous_standby_names = 'ghost'",
        "SELECT pg_reload_conf()");
  }

  static void releaseCommits() throws SQLException {
    administer(
        "postgres", "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
  }

  /// The process id of the session whose commit waits for a standby, or 0.
  static int heldCommit() throws SQLException {
    return Integer.parseInt(
        queried(
            "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE usename = 'shop' AND wait_event = 'SyncRep'"));
  }

  static void endSessions() throws SQLException {
    administer(
        "postgres",
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = 'shop'");
  }

  /// The texts in the order of their numbers.
  static List<String> texts() throws SQLException {
    try (Connection connection = superuser("numbers");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT text FROM numbers.number ORDER BY value")) {
      var texts = new ArrayList<String>();
      while (row.next()) {
        texts.add(row.getString(1));
      }
      return texts;
    }
  }

  /// @param fatal is completed where the process would end
  static SingleWriter<Numbers.Batch> writer(
      PostgresSchema schema, CompletableFuture<Throwable> fatal) {
    return Numbers.writer(
        schema,
        1_000,
        failure -> {
          if (fatal.complete(failure)) {
            throw new IllegalStateException(failure); // the process would end
          }
        });
  }
}
