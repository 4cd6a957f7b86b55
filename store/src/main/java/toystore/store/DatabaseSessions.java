package toystore.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import toystore.platform.service.DatabaseCredentials;
import toystore.platform.service.StartupException;

/// Ends the sessions of a store in PostgreSQL, as a restart of the server does. The console of
/// `./toystore up` injects this fault.
public final class DatabaseSessions {
  private static final String END =
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user
        AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()
      """;

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
    try (Connection connection =
            DatabaseCredentials.server("the store", url, environment).connect("public");
        Statement statement = connection.createStatement()) {
      statement.execute(END);
    }
  }
}
