package toystore.store;

import static toystore.common.RootLocale.format;

import java.nio.file.Path;
import java.sql.SQLException;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import toystore.platform.service.DatabaseCredentials;
import toystore.platform.service.StartupException;
import toystore.platform.service.StoreIdSetting;
import toystore.platform.storage.StoreIdentity;
import toystore.platform.storage.UnusableFileException;

/// Checks that a database contains the store of a data folder. `./toystore up` runs it before it
/// uses another URL than the one that the folder remembers.
public final class StoreLocation {
  private StoreLocation() {}

  /// `StoreLocation FOLDER REMEMBERED URL`. Exits with 1 and one line on standard error if it does
  /// not.
  public static void main(String[] args) {
    try {
      check(Path.of(args[0]), args[1], args[2], new StandardEnvironment());
    } catch (StartupException | UnusableFileException | SQLException e) {
      System.err.println(String.valueOf(e.getMessage()).strip().replaceAll("\\R\\s*", "; "));
      System.exit(1);
    }
  }

  /// @param environment has the user and the password of the database
  /// @throws StartupException if no store uses the database
  /// @throws UnusableFileException if another one does
  public static void check(Path folder, String remembered, String url, Environment environment)
      throws SQLException {
    var server = DatabaseCredentials.server("--database", url, environment);
    StoreIdentity store = StoreIdSetting.identity(environment, folder);
    if (store == null || !store.uses(server, StoreMove.CATALOG)) {
      throw new StartupException(
          format(
              "the store of data folder %s is in %s, and database %s does not contain it; restore or move it first, or, to begin with another database, delete %s",
              folder,
              DatabaseCredentials.server("file postgresql", remembered, environment),
              server,
              folder.resolve("postgresql")));
    }
  }
}
