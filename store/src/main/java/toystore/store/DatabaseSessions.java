package toystore.store;

import java.sql.SQLException;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import toystore.platform.service.DatabaseCredentials;
import toystore.platform.service.StartupException;

/// Ends the sessions of a store in PostgreSQL, as a restart of the server does. The console of
/// `./toystore up` injects this fault.
public final class DatabaseSessions {
  private DatabaseSessions() {}

  /// `DatabaseSessions URL`. Exits with 1 and a line on standard error if they cannot be ended.
  public static void main(String[] args) {
    try {
      end(args[0], new StandardEnvironment());
    } catch (StartupException | SQLException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  /// @param environment has the user and the password of the database
  public static void end(String url, Environment environment) throws SQLException {
    DatabaseCredentials.server("the store", url, environment).endSessions();
  }
}
