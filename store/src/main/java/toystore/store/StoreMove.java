package toystore.store;

import static java.util.Objects.requireNonNull;
import static toystore.common.RootLocale.format;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import toystore.catalog.storage.ProductWords;
import toystore.platform.service.DatabaseCredentials;
import toystore.platform.service.StartupException;
import toystore.platform.service.StoreIdSetting;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.SqliteFile;
import toystore.platform.storage.StoreIdentity;
import toystore.platform.storage.TableCopy;
import toystore.platform.storage.UnusableFileException;

/// Copies a stopped store from SQLite to PostgreSQL, in one transaction. `./toystore move` runs it.
/// One thread.
public final class StoreMove implements AutoCloseable {
  static final String CATALOG = "catalog";

  private static final long BETWEEN_LINES_NANOS = Duration.ofSeconds(2).toNanos();

  private final Map<String, Database> files = new LinkedHashMap<>();
  private final Map<String, Database> schemas = new LinkedHashMap<>();
  private final Consumer<String> lines;
  private long said = System.nanoTime();

  private StoreMove(Consumer<String> lines) {
    this.lines = lines;
  }

  /// `StoreMove FOLDER URL`. Exits with 1 and one line on standard error if nothing was copied.
  public static void main(String[] args) {
    LoggingSystem.get(StoreMove.class.getClassLoader())
        .setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.OFF);
    try {
      move(Path.of(args[0]), args[1], new StandardEnvironment(), System.out::println);
    } catch (StartupException | UnusableFileException | SQLException e) {
      System.err.println(String.valueOf(e.getMessage()).strip().replaceAll("\\R\\s*", "; "));
      System.exit(1);
    }
  }

  /// @param environment has the user and the password of the database
  /// @param lines receives the progress, and at the end a line for each service
  /// @throws StartupException if the folder has no complete store, or a service uses the database
  /// @throws UnusableFileException if a service uses the folder, or the database has data
  public static void move(Path from, String to, Environment environment, Consumer<String> lines)
      throws SQLException {
    PostgresServer server = DatabaseCredentials.server("database", to, environment);
    StoreIdentity store = StoreIdSetting.identity(environment, from);
    try (var move = new StoreMove(lines)) {
      List<String> services =
          StoreApplication.descriptors().stream()
              .filter(StoreServiceDescriptor::database)
              .map(StoreServiceDescriptor::name)
              .toList();
      services.forEach(it -> move.openFile(from.resolve(it), it));
      require(
          move.files.size() == services.size(),
          format(
              "%s has data of %s instead of %s; start its store once with this version",
              from, move.files.keySet(), services));
      for (String service : services) {
        PostgresSchema schema = PostgresSchema.of(server, service, store);
        move.schemas.put(service, schema);
        require(schema.tryBecomeWriter(), schema + " is used by a service; stop the store first");
      }
      move.copyAll();
    }
  }

  private static void require(boolean valid, String message) {
    if (!valid) {
      throw new StartupException(message);
    }
  }

  private void openFile(Path folder, String service) {
    Path file = folder.resolve(service + ".db");
    if (Files.exists(file)) {
      files.put(service, SqliteFile.open(file, "db/" + service));
    }
  }

  private void copyAll() throws SQLException {
    for (String service : files.keySet()) {
      TableCopy.lock(target(service));
    }
    var report = new ArrayList<String>();
    for (String service : files.keySet()) {
      TableCopy.Content copied =
          TableCopy.copy(
              requireNonNull(files.get(service)).queryConnection(),
              target(service),
              (table, rows) -> say(service, table, rows));
      if (service.equals(CATALOG)) {
        ProductWords.rebuild(requireNonNull(schemas.get(service)));
      }
      report.add(
          format(
              "%-9s %d rows of %d tables, sum of checksums %016x",
              service, copied.rows(), copied.tables(), copied.checksums()));
    }
    target(CATALOG);
    first().commit();
    report.forEach(lines);
  }

  /// The connection of all schemas, for a service's tables until the next call.
  private Connection target(String service) throws SQLException {
    Connection shared = first().queryConnection();
    shared.setSchema(service);
    return shared;
  }

  private Database first() {
    return schemas.values().iterator().next();
  }

  private void say(String service, String table, long rows) {
    if (System.nanoTime() - said > BETWEEN_LINES_NANOS) {
      said = System.nanoTime();
      lines.accept(format("copying %s.%s, %,d rows so far", service, table, rows));
    }
  }

  /// Rolls back what was not committed.
  @Override
  public void close() throws SQLException {
    for (Map<String, Database> databases : List.of(schemas, files)) {
      for (Database database : databases.values()) {
        database.rollback();
        database.close();
      }
    }
  }
}
