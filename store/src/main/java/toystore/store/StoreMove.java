package toystore.store;

import static toystore.common.RootLocale.format;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import toystore.catalog.storage.ProductWords;
import toystore.platform.service.StartupException;
import toystore.platform.service.StoreIdSetting;
import toystore.platform.storage.StoreIdentity;
import toystore.platform.storage.TableCopy;
import toystore.platform.storage.UnusableFileException;

/// Copies a stopped store from SQLite to PostgreSQL or back. `./toystore move` runs it.
public final class StoreMove {
  static final String CATALOG = "catalog";

  private StoreMove() {}

  /// `StoreMove FROM TO`. Each is a data folder or a URL. Exits with 1 and one line on standard
  /// error if nothing was copied.
  public static void main(String[] args) {
    LoggingSystem.get(StoreMove.class.getClassLoader())
        .setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.OFF);
    try {
      move(args[0], args[1], new StandardEnvironment(), System.out::println);
    } catch (StartupException | UnusableFileException | SQLException e) {
      System.err.println(String.valueOf(e.getMessage()).strip().replaceAll("\\R\\s*", "; "));
      System.exit(1);
    }
  }

  /// @param environment has the user and the password of the database
  /// @param lines receives the progress, and at the end a line for each service
  public static void move(String from, String to, Environment environment, Consumer<String> lines)
      throws SQLException {
    var report = new ArrayList<String>();
    boolean toFolder = StoreDatabases.isPostgres(from);
    StoreIdentity store = toFolder ? null : StoreIdSetting.identity(environment, Path.of(from));
    try (var progress = new MoveProgress(toFolder ? from : to, environment, lines);
        var source = new StoreDatabases(from, environment, false, null);
        var target = new StoreDatabases(to, environment, true, store)) {
      if (!source.services().equals(target.services())) {
        throw new StartupException(
            format(
                "%s has data of %s instead of %s; start its store once with this version",
                from, source.services(), target.services()));
      }
      for (String service : source.services()) {
        TableCopy.Content copied =
            TableCopy.copy(
                source.connection(service),
                target.connection(service),
                (table, rows) -> progress.at(service, table, rows));
        if (service.equals(CATALOG)) {
          ProductWords.rebuild(target.database(service));
        }
        report.add(
            format(
                "%-9s %d rows of %d tables, sum of checksums %016x",
                service, copied.rows(), copied.tables(), copied.checksums()));
      }
      target.commit();
    }
    report.forEach(lines);
  }
}
