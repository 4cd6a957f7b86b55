package toystore.order;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.Database;

/// The table `unit_total`: the units that each buyer bought and kept, and those that each seller
/// sold in captured purchases. An instance writes to it, only on the writer thread and its
/// connection. The static methods read and accept any connection.
final class UnitTotalStore {
  private static final ChecksummedTable<Total> TOTALS =
      new ChecksummedTable<>(
          "unit_total",
          "account",
          List.of("account", "units"),
          (row, it) -> row.set(it.account).set(it.units),
          row -> new Total(row.getString("account"), row.getLong("units")));

  private final ChecksummedTable<Total>.Writer totals;

  private record Total(String account, long units) {}

  UnitTotalStore(Database database) {
    totals = TOTALS.upserts(database);
  }

  void put(String account, long units) throws SQLException {
    totals.put(new Total(account, units));
  }

  static String buyer(long id) {
    return "buyer " + id;
  }

  /// @param id 0: unknown
  static String seller(long id) {
    return "seller " + id;
  }

  static long find(Connection connection, String account) throws SQLException {
    return TOTALS.row(connection, "WHERE account = ?", account).map(Total::units).orElse(0L);
  }

  /// Compares all totals with the purchases: each buyer's, and the sum of the sellers'. Each
  /// statement reads one state of the database.
  ///
  /// @return the first difference; empty: none
  static Optional<String> difference(Connection connection) throws SQLException {
    String select =
        String.format(
            Locale.ROOT,
            """
            SELECT %s, CASE WHEN account LIKE 'buyer %%%%' THEN
              (SELECT coalesce(sum(quantity), 0) FROM purchase_line
               WHERE buyer_id = CAST(substr(account, 7) AS bigint) AND returned = 0)
              ELSE units END AS expected
            FROM unit_total
            """,
            TOTALS.selected());
    try (PreparedStatement statement = connection.prepareStatement(select);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        TOTALS.check(row, 1);
        if (row.getLong("units") != row.getLong("expected")) {
          return Optional.of(
              String.format(
                  Locale.ROOT,
                  "%s has %d units, but the total is %d",
                  row.getString("account"),
                  row.getLong("expected"),
                  row.getLong("units")));
        }
      }
    }
    return sumDifference(connection);
  }

  private static Optional<String> sumDifference(Connection connection) throws SQLException {
    String select =
        """
        SELECT
          (SELECT coalesce(sum(units), 0) FROM unit_total WHERE account LIKE 'buyer %') AS buyers,
          (SELECT coalesce(sum(quantity), 0) FROM purchase_line WHERE returned = 0) AS kept,
          (SELECT coalesce(sum(units), 0) FROM unit_total WHERE account LIKE 'seller %') AS sellers,
          (SELECT coalesce(sum(quantity), 0) FROM purchase_line
           WHERE (SELECT state FROM purchase WHERE first_line <= purchase_line.id
                  ORDER BY first_line DESC LIMIT 1) = 'CAPTURED') AS captured
        """;
    try (PreparedStatement statement = connection.prepareStatement(select);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong("buyers") == row.getLong("kept")
              && row.getLong("sellers") == row.getLong("captured")
          ? Optional.empty()
          : Optional.of(
              String.format(
                  Locale.ROOT,
                  "buyers have %d units and %d are captured, but the totals are %d and %d",
                  row.getLong("kept"),
                  row.getLong("captured"),
                  row.getLong("buyers"),
                  row.getLong("sellers")));
    }
  }
}
