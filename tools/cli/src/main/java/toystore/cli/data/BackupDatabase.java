package toystore.cli.data;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sqlite.SQLiteConfig;
import toystore.cli.command.CommandRefusal;
import toystore.platform.storage.OnlineBackup;

/// Copies the databases of a store, also while they are in use, and reads the copies. It never
/// writes to a store's own file.
final class BackupDatabase {
  /// Where the last numbers of each service are, and their times in milliseconds.
  private static final Map<String, List<Numbers>> NUMBERS =
      Map.of(
          "catalog",
          List.of(
              new Numbers("order", newest("time", "sale WHERE series = 1")),
              new Numbers("purchase or return", newest("time", "sale WHERE series = 2"))),
          "order",
          List.of(
              new Numbers(
                  "purchase or return",
                  "SELECT max(max(sale_number), coalesce(max(return_number), -1)), max(sold_at)"
                      + " FROM purchase WHERE sale_number IS NOT NULL HAVING count(*) > 0")),
          "account",
          List.of(
              new Numbers(
                  "number of accounts",
                  "SELECT count(*), max(created) FROM account HAVING count(*) > 0")),
          "payment",
          List.of(new Numbers("payment", newest("changed_at", "payment"))),
          "exchange",
          List.of(
              new Numbers("order", newest("opened_at", "limit_order")),
              new Numbers("trade", newest("executed_at", "trade"))));

  /// @param query for the last number and its time; no row: there is none
  private record Numbers(String what, String query) {}

  private static String newest(String time, String from) {
    return "SELECT number, " + time + " FROM " + from + " ORDER BY number DESC LIMIT 1";
  }

  private BackupDatabase() {}

  /// A last number and its time.
  ///
  /// @param number -1: there is none
  record Last(String what, long number, Instant time) {
    @Override
    public String toString() {
      return number < 0 ? "no " + what : what + " " + number + " (" + time + ")";
    }
  }

  /// Copies all committed data of a database that may be in use.
  static void copy(Path from, Path to) {
    try {
      OnlineBackup.copy(from, to);
    } catch (SQLException failure) {
      throw new CommandRefusal("cannot copy %s to %s: %s", from, to, describe(failure));
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
      throw new CommandRefusal("%s is damaged: %s", copy, problem);
    }
  }

  /// The last numbers in the database of a service, which no process uses; empty: it has a schema
  /// of another version.
  static List<Last> last(String service, Path database) {
    List<Last> all = new ArrayList<>();
    try (Connection connection = open(database);
        Statement statement = connection.createStatement()) {
      for (Numbers numbers : NUMBERS.getOrDefault(service, List.of())) {
        try (ResultSet row = statement.executeQuery(numbers.query)) {
          all.add(
              row.next()
                  ? new Last(numbers.what, row.getLong(1), Instant.ofEpochMilli(row.getLong(2)))
                  : new Last(numbers.what, -1, Instant.EPOCH));
        }
      }
      return all;
    } catch (SQLException failure) {
      return List.of();
    }
  }

  private static Connection open(Path file) throws SQLException {
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    boolean hasLog = Files.exists(file.resolveSibling(file.getFileName() + "-wal"));
    return config.createConnection("jdbc:sqlite:" + file.toUri() + (hasLog ? "" : "?immutable=1"));
  }

  private static String describe(SQLException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
