package toystore.cli;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import toystore.platform.storage.OnlineBackup;

/// Copies the databases of a store, also while they are in use, and reads the copies. It never
/// writes to a store's own file.
final class BackupDatabase {
  private static final int BUSY_MILLIS = 5_000;

  /// The catalog's id of the series of store orders and trades.
  private static final int STORE_SERIES = 1;

  private BackupDatabase() {}

  /// The end of the numbers in a copy.
  ///
  /// @param next the next number to assign
  /// @param lastKey the key of the last number; null if there is none
  record End(long next, @Nullable String lastKey) {}

  /// Copies all committed data of a database that may be in use.
  static void copy(Path from, Path to) {
    try {
      OnlineBackup.copy(from, to);
    } catch (SQLException failure) {
      throw new CommandRefused(
          String.format(Locale.ROOT, "cannot copy %s to %s: %s", from, to, describe(failure)));
    }
  }

  /// Refuses a copy that fails SQLite's integrity check.
  static void check(Path copy) {
    String problem;
    try {
      problem = OnlineBackup.problem(copy);
    } catch (SQLException failure) {
      problem = describe(failure);
    }
    if (!problem.isEmpty()) {
      throw new CommandRefused(String.format(Locale.ROOT, "%s is damaged: %s", copy, problem));
    }
  }

  /// The end of the sales in a copied catalog.
  static End sales(Path catalog) {
    return end(
        catalog,
        String.format(
            Locale.ROOT,
            "SELECT number, key FROM sale WHERE series = %d ORDER BY number DESC LIMIT 1",
            STORE_SERIES));
  }

  /// The end of the store's series in a copied order book. A book of an older version has no column
  /// `series` and contains this series only.
  static End orders(Path book) {
    boolean ofSeries =
        end(book, "SELECT cid, name FROM pragma_table_info('book') WHERE name = 'series'").next()
            > 0;
    String where = ofSeries ? "WHERE series = " + STORE_SERIES : "";
    return end(
        book,
        String.format(
            Locale.ROOT, "SELECT number, key FROM book %s ORDER BY number DESC LIMIT 1", where));
  }

  /// The key of a sale in a copied catalog; null if there is no such sale.
  static @Nullable String keyOfSale(Path catalog, long number) {
    return end(
            catalog,
            String.format(
                Locale.ROOT,
                "SELECT number, key FROM sale WHERE series = %d AND number = %d",
                STORE_SERIES,
                number))
        .lastKey();
  }

  private static End end(Path copy, String query) {
    try (var connection = open(copy, "?immutable=1");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? new End(row.getLong(1) + 1, row.getString(2)) : new End(0, null);
    } catch (SQLException failure) {
      throw new CommandRefused(
          String.format(Locale.ROOT, "cannot read %s: %s", copy, describe(failure)));
    }
  }

  private static Connection open(Path file, String how) throws SQLException {
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    return config.createConnection("jdbc:sqlite:" + file.toUri() + how);
  }

  private static String describe(SQLException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
