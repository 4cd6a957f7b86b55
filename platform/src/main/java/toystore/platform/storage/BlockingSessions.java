package toystore.platform.storage;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// The sessions of a PostgreSQL database that have locks for which this program's sessions wait.
public final class BlockingSessions {
  private BlockingSessions() {}

  /// Describes each by its process id on the server, application, user and the begin of its
  /// transaction, which the server shows only to some users.
  public static List<String> of(PostgresServer server) throws SQLException {
    var sessions = new ArrayList<String>();
    try (Connection connection = server.connect("public");
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT format('session %s (application "%s", user %s), in a transaction since %s',
                  pid, application_name, usename,
                  coalesce(to_char(xact_start, 'YYYY-MM-DD HH24:MI:SS TZ'), 'an unknown time'))
                FROM pg_stat_activity WHERE pid IN (
                  SELECT unnest(pg_blocking_pids(pid)) FROM pg_stat_activity
                  WHERE datname = current_database() AND usename = current_user
                    AND application_name = current_setting('application_name'))
                ORDER BY pid
                """)) {
      while (row.next()) {
        sessions.add(row.getString(1));
      }
    }
    return sessions;
  }
}
