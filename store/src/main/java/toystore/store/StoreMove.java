package toystore.store;

import java.sql.SQLException;
import java.util.Locale;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import toystore.catalog.storage.ProductWords;
import toystore.platform.service.StartupException;
import toystore.platform.storage.TableCopy;
import toystore.platform.storage.UnusableFileException;

/// Copies a stopped store from SQLite to PostgreSQL or back. `./toystore move` runs it.
public final class StoreMove {
  private static final String CATALOG = "catalog";

  private StoreMove() {}

  /// `StoreMove FROM TO`. Each is a data folder or a URL. Exits with 1 and one line on standard
  /// error if nothing was copied.
  public static void main(String[] args) {
    LoggingSystem.get(StoreMove.class.getClassLoader())
        .setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.OFF);
    try {
      System.out.print(move(args[0], args[1], new StandardEnvironment()));
    } catch (StartupException | UnusableFileException | SQLException e) {
      System.err.println(String.valueOf(e.getMessage()).strip().replaceAll("\\R\\s*", "; "));
      System.exit(1);
    }
  }

  /// @param environment has the user and the password of the database
  /// @return a line for each service
  public static String move(String from, String to, Environment environment) throws SQLException {
    var report = new StringBuilder();
    try (var source = new StoreDatabases(from, environment, false);
        var target = new StoreDatabases(to, environment, true)) {
      if (!source.services().equals(target.services())) {
        throw new StartupException(
            String.format(
                Locale.ROOT,
                "%s has data of %s instead of %s; start its store once with this version",
                from,
                source.services(),
                target.services()));
      }
      for (String service : source.services()) {
        TableCopy.Content copied =
            TableCopy.copy(source.connection(service), target.connection(service));
        if (service.equals(CATALOG)) {
          ProductWords.rebuild(target.database(service));
        }
        report.append(
            String.format(
                Locale.ROOT,
                "%-9s %d rows of %d tables, sum of checksums %016x%n",
                service,
                copied.rows(),
                copied.tables(),
                copied.checksums()));
      }
      target.commit();
    }
    return report.toString();
  }
}
