package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConnection;

/// Detects damage with the integrity checks of SQLite. They read the whole file. The values of rows
/// have a [RowChecksum].
public final class IntegrityCheck {
  private IntegrityCheck() {}

  /// Checks that all pages are complete and consistent. Takes half a second for a million sales in
  /// the page cache.
  ///
  /// @throws CorruptDataException if they are not
  public static void quickCheck(Connection connection) throws SQLException {
    check(connection, "quick_check");
  }

  /// Also checks that each index has exactly the rows of its table. Only SQLite has such a check:
  /// PostgreSQL compares the checksum of each page that it reads.
  ///
  /// @throws CorruptDataException if it does not
  public static void integrityCheck(Connection connection) throws SQLException {
    if (connection.isWrapperFor(SQLiteConnection.class)) {
      check(connection, "integrity_check");
    }
  }

  private static void check(Connection connection, String pragma) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(format("PRAGMA %s(1)", pragma))) {
      row.next();
      String found = row.getString(1);
      if (!found.equals("ok")) {
        throw new CorruptDataException(
            "damaged database: " + found.lines().reduce((_, last) -> last).orElse(""));
      }
    }
  }
}
