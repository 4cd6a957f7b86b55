package toystore.testkit;

import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The database of a service in a test of its stores, on either engine. It is empty when it is
/// created, and can be opened several times, one after the other. One thread.
public final class TestDatabase {
  /// The encoding of the values in a row's checksum: see `RowChecksum` of the platform.
  private static final List<String> ENCODINGS =
      List.of(
          encoding("bigint", "'I'::bytea || int8send($1)"),
          encoding("text", "'T'::bytea || int4send(octet_length($1)) || convert_to($1, 'UTF8')"),
          encoding("bytea", "'B'::bytea || int4send(octet_length($1)) || $1"));

  private final Engine engine;
  private final Path folder;
  private final String service;
  private final String url;
  private int kills;

  /// What stores the data.
  public enum Engine {
    SQLITE,
    POSTGRESQL
  }

  /// For tests tagged `engines`: SQLite in `mvnw verify`, PostgreSQL with `-Dtests.long`.
  public static List<Engine> engines() {
    return List.of(Engine.valueOf(System.getProperty("engines", "SQLITE")));
  }

  /// @param folder of SQLite's files
  /// @param service name of the service, which is that of its schema, too
  public TestDatabase(Engine engine, Path folder, String service) throws SQLException {
    this.engine = engine;
    this.folder = folder;
    this.service = service;
    this.url = engine == Engine.POSTGRESQL ? PostgresCluster.databaseWithoutSchema(service) : "";
  }

  /// Opens the database.
  ///
  /// @param sqlite opens the file
  /// @param postgresql names the schema of the database at a URL
  /// @param elected whether a schema was opened; false while the one before is being closed
  public <D, S extends D> D open(
      Function<Path, ? extends D> sqlite, Function<String, S> postgresql, Predicate<S> elected) {
    if (engine == Engine.SQLITE) {
      return sqlite.apply(file(kills, ""));
    }
    S schema = postgresql.apply(url);
    await(() -> elected.test(schema));
    return schema;
  }

  /// Lets the next [#open] find what a process leaves that is killed now. PostgreSQL keeps what was
  /// committed, however a process ends.
  public void kill() throws IOException {
    if (engine == Engine.SQLITE) {
      for (String suffix : List.of("", "-wal")) {
        if (Files.exists(file(kills, suffix))) {
          Files.copy(file(kills, suffix), file(kills + 1, suffix));
        }
      }
      kills++;
    }
  }

  private Path file(int number, String suffix) {
    return folder.resolve(format("%s-%d.db%s", service, number, suffix));
  }

  /// Lets each insert of a text fail.
  ///
  /// @param writing the writer's connection to the open file; not used for PostgreSQL
  public void refuse(Connection writing, String table, String column, String text)
      throws SQLException {
    String sql =
        engine == Engine.SQLITE
            ? """
            CREATE TEMP TRIGGER refuse BEFORE INSERT ON %1$s WHEN NEW.%2$s = '%3$s'
            BEGIN SELECT RAISE(ABORT, 'planned'); END
            """
            : """
            ALTER TABLE %1$s DROP CONSTRAINT IF EXISTS refuse,
              ADD CONSTRAINT refuse CHECK (%2$s <> '%3$s')
            """;
    execute(writing, String.format(Locale.ROOT, sql, table, column, text));
  }

  /// Changes rows and updates all checksums, as a faulty service would.
  ///
  /// @param writing the writer's connection to the open file, with the function `row_checksum`; not
  ///   used for PostgreSQL
  /// @param checksummed the columns of tables
  public void change(Connection writing, String sql, Map<String, List<String>> checksummed)
      throws SQLException {
    execute(writing, sql);
    if (engine == Engine.POSTGRESQL) {
      for (String encoding : ENCODINGS) {
        execute(writing, encoding);
      }
    }
    for (var table : checksummed.entrySet()) {
      String checksum =
          engine == Engine.SQLITE
              ? format("row_checksum(%s)", String.join(", ", table.getValue()))
              : table.getValue().stream()
                  .map(it -> "encoded(" + it + ")")
                  .collect(Collectors.joining(" || ", "crc32c(", ")"));
      execute(writing, "UPDATE " + table.getKey() + " SET checksum = " + checksum);
    }
  }

  private static String encoding(String type, String bytes) {
    return format(
        "CREATE OR REPLACE FUNCTION encoded(%s) RETURNS bytea RETURN coalesce(%s, 'N'::bytea)",
        type, bytes);
  }

  private void execute(Connection writing, String sql) throws SQLException {
    if (engine == Engine.SQLITE) {
      try (Statement statement = writing.createStatement()) {
        statement.executeUpdate(sql);
        writing.commit();
      }
    } else {
      String schema = url + "?currentSchema=" + service;
      try (Connection connection = DriverManager.getConnection(schema, "postgres", "");
          Statement statement = connection.createStatement()) {
        statement.executeUpdate(sql);
      }
    }
  }
}
