package toystore.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import toystore.catalog.Sale.SaleLine;
import toystore.writer.Checksum;
import toystore.writer.DamagedException;
import toystore.writer.Pages;
import toystore.writer.ReadPool;

/// Proves the catalog's invariants from its rows. Sales never change, so what was checked is
/// remembered, and the next audit goes on from there. Pages are read each on its own; the last one
/// stands in one read transaction with the products' stock, so that the sums are right under load.
///
/// Each row it reads must match its checksum; the full form asks SQLite as well whether its own
/// structure is whole.
///
/// Any thread may ask; the pool's one thread owns what is remembered.
final class CatalogAudit {
  private static final int PAGE = 5_000;
  private static final int SALE_COLUMNS = 8;
  private static final int ANSWER_COLUMNS = 8;
  private static final String ROWS = "rows as written";

  private final ReadPool reader;
  private final Map<Long, Long> sold = new HashMap<>();
  private final Map<Long, Long> traded = new HashMap<>();
  private long checked;
  private @Nullable String gap;
  private @Nullable String keyFault;

  /// One invariant and what was found.
  record Check(String name, boolean ok, String detail) {}

  /// What a product's row says of its units, whatever that is.
  private record Counted(long id, String name, long quantity, long volume) {}

  /// @param reader of one thread
  CatalogAudit(ReadPool reader) {
    this.reader = reader;
  }

  /// @param full whether to begin again from the first sale
  CompletionStage<List<Check>> run(boolean full) {
    return reader.read(connection -> run(connection, full)).exceptionally(CatalogAudit::damaged);
  }

  /// Where a row is damaged nothing can be said of the sums it belongs to.
  private static List<Check> damaged(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DamagedException damage) {
        return List.of(new Check(ROWS, false, String.valueOf(damage.getMessage())));
      }
    }
    throw failure instanceof CompletionException told ? told : new CompletionException(failure);
  }

  private List<Check> run(Connection connection, boolean full) throws SQLException {
    if (full) {
      sold.clear();
      traded.clear();
      checked = 0;
      gap = null;
      keyFault = null;
      Pages.integrityCheck(connection);
      checkOtherAnswers(connection);
    }
    while (checkPage(connection) == PAGE) {
      // the next page
    }
    connection.setAutoCommit(false);
    try {
      while (checkPage(connection) == PAGE) {
        // what came meanwhile
      }
      List<Counted> products = products(connection);
      return List.of(
          stock(products, connection),
          neverNegative(products),
          volume(products, connection),
          numbers(),
          keys(),
          rows());
    } finally {
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /// Those that tell of a sale are looked at with it.
  private static void checkOtherAnswers(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM answer WHERE outcome <> 'SOLD'")) {
      while (row.next()) {
        Checksum.check(row, "answer", "key");
      }
    }
  }

  /// @return how many sales it held
  private int checkPage(Connection connection) throws SQLException {
    int rows = 0;
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            SELECT sale.*, answer.*, answer.outcome AS outcome_of_key, answer.number AS answered
            FROM sale LEFT JOIN answer ON answer.key = sale.key
            WHERE sale.series = ? AND sale.number >= ? ORDER BY sale.number LIMIT ?
            """)) {
      statement.setInt(1, Series.STORE.id());
      statement.setLong(2, checked);
      statement.setInt(3, PAGE);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          check(row);
          rows++;
        }
      }
    }
    return rows;
  }

  private void check(ResultSet row) throws SQLException {
    Checksum.check(row, 1, SALE_COLUMNS, "sale", 2);
    String outcome = row.getString("outcome_of_key");
    if (outcome != null) {
      Checksum.check(
          row, SALE_COLUMNS + 1, SALE_COLUMNS + ANSWER_COLUMNS, "answer", SALE_COLUMNS + 1);
    }
    long number = row.getLong(2);
    if (number != checked && gap == null) {
      gap = "number %d is missing".formatted(checked);
    }
    boolean answered = "SOLD".equals(outcome) && row.getLong("answered") == number;
    if (!answered && keyFault == null) {
      keyFault = "the key of sale %d was not answered with it".formatted(number);
    }
    SaleKind kind = SaleKind.valueOf(row.getString("kind"));
    for (SaleLine line : Rows.lines(row.getString("lines"))) {
      long units = line.quantity();
      sold.merge(line.productId(), kind.takesStock() ? units : -units, Long::sum);
      if (kind.isTrade()) {
        traded.merge(line.productId(), units, Long::sum);
      }
    }
    checked = number + 1;
  }

  private static List<Counted> products(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM product")) {
      var products = new ArrayList<Counted>();
      while (row.next()) {
        Checksum.check(row, "product", "id");
        products.add(
            new Counted(
                row.getLong("id"),
                row.getString("name"),
                row.getLong("quantity"),
                row.getLong("volume")));
      }
      return products;
    }
  }

  private Check stock(List<Counted> products, Connection connection) throws SQLException {
    Map<Long, Long> came =
        sums(connection, "SELECT product_id, sum(quantity) FROM stock_change GROUP BY product_id");
    for (Counted product : products) {
      long arrived = came.getOrDefault(product.id(), 0L);
      long gone = sold.getOrDefault(product.id(), 0L);
      if (product.quantity() != arrived - gone) {
        return new Check(
            "stock",
            false,
            "%s: %d came, %d were sold, but %d are in stock"
                .formatted(product.name(), arrived, gone, product.quantity()));
      }
    }
    return new Check(
        "stock",
        true,
        "initial + restocked + sold back - sold = stock for %d products, %d sales"
            .formatted(products.size(), checked));
  }

  private static Check neverNegative(List<Counted> products) {
    for (Counted product : products) {
      if (product.quantity() < 0) {
        return new Check(
            "stock is never negative",
            false,
            "%s has %d".formatted(product.name(), product.quantity()));
      }
    }
    return new Check("stock is never negative", true, "no product has less than 0");
  }

  private Check volume(List<Counted> products, Connection connection) throws SQLException {
    Map<Long, Long> changed =
        sums(connection, "SELECT product_id, sum(units) FROM volume_change GROUP BY product_id");
    for (Counted product : products) {
      long units = traded.getOrDefault(product.id(), 0L);
      long counted = units + changed.getOrDefault(product.id(), 0L);
      if (product.volume() != counted) {
        return new Check(
            "volume",
            false,
            "%s: %d were traded, %d of them count, but its volume is %d"
                .formatted(product.name(), units, counted, product.volume()));
      }
    }
    return new Check("volume", true, "traded since it was counted anew = volume");
  }

  private static Map<Long, Long> sums(Connection connection, String query) throws SQLException {
    Map<Long, Long> sums = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        sums.put(row.getLong(1), row.getLong(2));
      }
    }
    return sums;
  }

  private Check numbers() {
    return gap == null
        ? new Check("sale numbers", true, "consecutive, checked up to %d".formatted(checked))
        : new Check("sale numbers", false, gap);
  }

  private Check keys() {
    return keyFault == null
        ? new Check("one sale a key", true, "checked up to %d".formatted(checked))
        : new Check("one sale a key", false, keyFault);
  }

  private Check rows() {
    return new Check(ROWS, true, "checksums hold, checked up to %d".formatted(checked));
  }
}
