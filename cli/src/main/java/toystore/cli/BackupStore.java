package toystore.cli;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;

/// The databases of a store as a backup reads them: it copies those that are in use, and looks into
/// the copies. Nothing here writes to a store's own file.
final class BackupStore {
  private static final int BUSY_MILLIS = 5_000;

  /// The series of the store's own orders and trades, as the catalog numbers it.
  private static final int STORE_SERIES = 1;

  private BackupStore() {}

  /// Where the numbers of a copy end.
  ///
  /// @param next the number that comes next
  /// @param lastKey the key of the one before; null where there is none
  record End(long next, @Nullable String lastKey) {}

  /// Copies what was committed until now, by SQLite's online backup, in one step and so in one
  /// transaction that reads: in smaller steps each commit of the store would begin it anew, and
  /// under steady buying it would never end. Writers go on meanwhile.
  static void copy(Path from, Path to) {
    try (var source = open(from, "")) {
      var code =
          source
              .unwrap(SQLiteConnection.class)
              .getDatabase()
              .backup("main", to.toUri().toString(), null, 0, 0, -1);
      if (code != SQLiteErrorCode.SQLITE_OK.code) {
        throw new SQLException(SQLiteErrorCode.getErrorCode(code).message);
      }
    } catch (SQLException failure) {
      throw new CommandRefused("cannot copy %s to %s: %s".formatted(from, to, told(failure)));
    }
  }

  /// Refuses a copy in which SQLite finds damage.
  static void check(Path copy) {
    try (var connection = open(copy, "?immutable=1");
        var statement = connection.createStatement();
        var rows = statement.executeQuery("PRAGMA integrity_check(1)")) {
      var found = rows.next() ? rows.getString(1) : "nothing";
      if (!found.equals("ok")) {
        throw new CommandRefused(
            "%s is damaged: %s".formatted(copy, found.lines().findFirst().orElse("")));
      }
    } catch (SQLException failure) {
      throw new CommandRefused("%s is damaged: %s".formatted(copy, told(failure)));
    }
  }

  /// Where the sales of a copied catalog end.
  static End sales(Path catalog) {
    return end(
        catalog,
        "SELECT number, key FROM sale WHERE series = %d ORDER BY number DESC LIMIT 1"
            .formatted(STORE_SERIES));
  }

  /// Where the store's series of a copied order book ends. In one from before there were series
  /// there is no other.
  static End orders(Path book) {
    boolean ofSeries =
        end(book, "SELECT cid, name FROM pragma_table_info('book') WHERE name = 'series'").next()
            > 0;
    String where = ofSeries ? "WHERE series = " + STORE_SERIES : "";
    return end(
        book, "SELECT number, key FROM book %s ORDER BY number DESC LIMIT 1".formatted(where));
  }

  /// The key of a sale in a copied catalog; null where it has no such sale.
  static @Nullable String keyOfSale(Path catalog, long number) {
    return end(
            catalog,
            "SELECT number, key FROM sale WHERE series = %d AND number = %d"
                .formatted(STORE_SERIES, number))
        .lastKey();
  }

  private static End end(Path copy, String query) {
    try (var connection = open(copy, "?immutable=1");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? new End(row.getLong(1) + 1, row.getString(2)) : new End(0, null);
    } catch (SQLException failure) {
      throw new CommandRefused("cannot read %s: %s".formatted(copy, told(failure)));
    }
  }

  private static Connection open(Path file, String how) throws SQLException {
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    return config.createConnection("jdbc:sqlite:" + file.toUri() + how);
  }

  private static String told(SQLException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
