package toystore.order.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.order.domain.UnitTotal;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.Database;

/// The table `unit_total`: the units that each buyer bought and kept, and those that were sold in
/// captured purchases, by seller and by item. An instance writes to it, only on the writer thread
/// and its connection. The static methods read and accept any connection.
public final class UnitTotalStore {
  private static final Logger log = LoggerFactory.getLogger(UnitTotalStore.class);
  private static final ChecksummedTable<UnitTotal> TOTALS =
      new ChecksummedTable<>(
          "unit_total",
          "account",
          List.of("account", "units"),
          (row, it) -> row.set(it.account()).set(it.units()),
          row -> new UnitTotal(row.getString("account"), row.getLong("units")));

  private final Database database;
  private final ChecksummedTable<UnitTotal>.Writer totals;

  UnitTotalStore(Database database) {
    this.database = database;
    this.totals = TOTALS.upserts(database);
  }

  /// A damaged total stays as it is, and the audit reports it.
  void add(String account, long units) throws SQLException {
    try {
      totals.put(new UnitTotal(account, find(database.queryConnection(), account) + units));
    } catch (CorruptDataException e) {
      log.error("{}", e.getMessage());
    }
  }

  public static long find(Connection connection, String account) throws SQLException {
    return TOTALS.row(connection, "WHERE account = ?", account).map(UnitTotal::units).orElse(0L);
  }

  /// Compares all totals with the purchases: each buyer's, and the sums of the buyers' and of the
  /// sellers'. One statement, so it reads one state of the database.
  ///
  /// @return the first difference; empty: none
  public static Optional<String> difference(Connection connection) throws SQLException {
    String select =
        format(
            """
            SELECT %s, CASE WHEN account LIKE 'buyer %%' THEN
              (SELECT coalesce(sum(quantity), 0) FROM purchase_line
               WHERE buyer_id = CAST(substr(account, 7) AS bigint) AND returned = 0)
              ELSE units END AS expected
            FROM unit_total
            UNION ALL SELECT 'all buyers',
              (SELECT CAST(coalesce(sum(units), 0) AS bigint) FROM unit_total
               WHERE account LIKE 'buyer %%'), NULL,
              (SELECT coalesce(sum(quantity), 0) FROM purchase_line WHERE returned = 0)
            UNION ALL SELECT 'all sellers',
              (SELECT CAST(coalesce(sum(units), 0) AS bigint) FROM unit_total
               WHERE account LIKE 'seller %%'), NULL,
              (SELECT coalesce(sum(quantity), 0) FROM purchase_line
               WHERE (SELECT state FROM purchase WHERE first_line <= purchase_line.id
                      ORDER BY first_line DESC LIMIT 1) = 'CAPTURED')
            """,
            TOTALS.selected());
    try (PreparedStatement statement = connection.prepareStatement(select);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        if (row.getObject("checksum") != null) { // not a sum
          TOTALS.check(row, 1);
        }
        if (row.getLong("units") != row.getLong("expected")) {
          return Optional.of(
              format(
                  "units of %s: the purchases have %d, the total is %d",
                  row.getString("account"), row.getLong("expected"), row.getLong("units")));
        }
      }
      return Optional.empty();
    }
  }
}
