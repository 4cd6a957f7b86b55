package toystore.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The order books known to the catalog: which series have one (a row each, written at the first
/// comparison), and how the end of a book differs from the catalog's sales.
final class OrderBookComparisonStore {
  private OrderBookComparisonStore() {}

  static Set<SaleSeries> all(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT series FROM order_book")) {
      var all = EnumSet.noneOf(SaleSeries.class);
      while (row.next()) {
        all.add(SaleSeries.of(row.getInt("series")));
      }
      return all;
    }
  }

  static void add(Connection connection, SaleSeries series, Instant time) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT OR IGNORE INTO order_book (series, compared_at) VALUES (?, ?)")) {
      statement.setInt(1, series.id());
      statement.setLong(2, time.toEpochMilli());
      statement.executeUpdate();
    }
  }

  /// Compares the book's last sale with the catalog's sale of that number. They may differ if one
  /// of the two was restored from a backup.
  ///
  /// @param last number of the book's last sale
  /// @return the difference, or empty
  static Optional<String> difference(
      Connection connection, SaleSeries series, long last, String lastKey) throws SQLException {
    String here = SaleStore.find(connection, series, last).map(Sale::key).orElse(null);
    if (lastKey.equals(here)) {
      return Optional.empty();
    }
    String end = end(connection, series);
    String found =
        here == null
            ? end
            : String.format(
                Locale.ROOT,
                "sale %d of the catalog has key \"%s\", and %s",
                last,
                oneLine(here),
                end);
    return Optional.of(
        String.format(
            Locale.ROOT,
            "the order book ends with sale %d, key \"%s\"; %s",
            last,
            oneLine(lastKey),
            found));
  }

  private static String end(Connection connection, SaleSeries series) throws SQLException {
    long last = SaleStore.nextNumber(connection, series) - 1;
    return SaleStore.find(connection, series, last)
        .map(sale ->
            String.format(
                Locale.ROOT,
                "the catalog ends with sale %d, key \"%s\"",
                last,
                oneLine(sale.key())))
        .orElse("the catalog has no sales");
  }

  private static String oneLine(String key) {
    return key.replace('\n', ' ');
  }
}
