package toystore.platform.storage;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// What SQLite itself can see of damage in a database. It reads the whole file. The rows' values
/// have a [Checksum].
public final class IntegrityCheck {
  private IntegrityCheck() {}

  /// Sees that all pages are whole and belong together: half a second for a million sales where
  /// they are in memory.
  ///
  /// @throws DamagedException where they are not
  public static void quickCheck(Connection connection) throws SQLException {
    check(connection, "quick_check");
  }

  /// Sees as well that each index has the rows of its table, and no others.
  ///
  /// @throws DamagedException where that is not so
  public static void integrityCheck(Connection connection) throws SQLException {
    check(connection, "integrity_check");
  }

  private static void check(Connection connection, String pragma) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA %s(1)".formatted(pragma))) {
      row.next();
      String found = row.getString(1);
      if (!found.equals("ok")) {
        throw new CorruptDataException(
            "damaged database: " + found.lines().reduce((_, last) -> last).orElse(""));
      }
    }
  }
}
