package toystore.catalog.storage;

import static java.util.Objects.requireNonNullElse;
import static toystore.catalog.storage.SaleStore.ANSWERS;
import static toystore.catalog.storage.SaleStore.SALES;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.Sale.SaleLine;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.platform.service.Audit;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.IntegrityCheck;
import toystore.platform.storage.ReadPool;

/// Checks the catalog's invariants against its rows. Sales never change, so checked sales are
/// remembered, and the next audit continues after them. Each page is read separately. The last page
/// is read in one transaction with the products' stock, so the sums are consistent under load.
///
/// The checksum of each row is verified. A full audit also runs the integrity check of SQLite.
///
/// Any thread may call it. The one thread of the pool owns the remembered state.
public final class CatalogAudit implements Audit {
  private static final int PAGE = 5_000;
  private static final String ROWS = "rows as written";

  private final ReadPool reader;
  private final Map<Long, Long> sold = new HashMap<>();
  private final Map<Long, Long> traded = new HashMap<>();
  private final Map<SaleSeries, Long> checked = new EnumMap<>(SaleSeries.class);
  private long returns;
  private @Nullable String gap;
  private @Nullable String keyMismatch;

  /// The units in a product's row, not validated.
  ///
  /// @param owner 0: the shop
  private record ProductUnits(long id, long owner, String name, long quantity, long volume) {}

  /// @param reader a pool with one thread
  public CatalogAudit(ReadPool reader) {
    this.reader = reader;
  }

  @Override
  public CompletionStage<List<AuditCheckResult>> run(boolean full) {
    return reader
        .read(connection -> run(connection, full))
        // a damaged row makes all sums unreliable
        .exceptionally(failure -> List.of(AuditCheckResult.failed(ROWS, failure)));
  }

  private List<AuditCheckResult> run(Connection connection, boolean full) throws SQLException {
    if (full) {
      sold.clear();
      traded.clear();
      checked.clear();
      returns = 0;
      gap = null;
      keyMismatch = null;
      IntegrityCheck.integrityCheck(connection);
      checkOtherRecords(connection);
    }
    checkSales(connection);
    connection.setAutoCommit(false);
    try {
      checkSales(connection); // sales since then
      List<ProductUnits> products = products(connection);
      return List.of(
          stock(products, connection),
          neverNegative(products),
          volume(products, connection),
          AuditCheckResult.of("sale numbers", gap, "consecutive, " + checkedUpTo()),
          AuditCheckResult.of("one sale per key", keyMismatch, checkedUpTo()),
          items(products, connection),
          AuditCheckResult.of(
              "returns", wrongReturn(connection), returns + " returns, each of one purchase"),
          new AuditCheckResult(ROWS, true, "all checksums match, " + checkedUpTo()));
    } finally {
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /// Checks the idempotency records that do not refer to a sale. The others are checked with their
  /// sale.
  private static void checkOtherRecords(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT " + ANSWERS.selected() + " FROM answer WHERE outcome <> 'SOLD'")) {
      while (row.next()) {
        ANSWERS.check(row, 1);
      }
    }
  }

  private void checkSales(Connection connection) throws SQLException {
    for (SaleSeries series : SaleSeries.values()) {
      while (checkPage(connection, series) == PAGE) {
        // the next page
      }
    }
  }

  private long checked(SaleSeries series) {
    return checked.getOrDefault(series, 0L);
  }

  /// @return number of sales on the page
  private int checkPage(Connection connection, SaleSeries series) throws SQLException {
    int rows = 0;
    try (PreparedStatement statement =
        connection.prepareStatement(
            String.format(
                Locale.ROOT,
                """
                SELECT %s, %s, answer.outcome AS outcome_of_key, answer.number AS answered,
                  answer.series AS answered_series
                FROM sale LEFT JOIN answer ON answer.key = sale.key
                WHERE sale.series = ? AND sale.number >= ? ORDER BY sale.number LIMIT ?
                """,
                SALES.selected(),
                ANSWERS.selected()))) {
      statement.setInt(1, series.id());
      statement.setLong(2, checked(series));
      statement.setInt(3, PAGE);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          check(row, series);
          rows++;
        }
      }
    }
    return rows;
  }

  private void check(ResultSet row, SaleSeries series) throws SQLException {
    SALES.check(row, 1);
    String outcome = row.getString("outcome_of_key");
    if (outcome != null) {
      ANSWERS.check(
          row, SALES.columns().size() + 2); // after the columns of the sale and its checksum
    }
    long number = row.getLong(2);
    if (number != checked(series) && gap == null) {
      gap = String.format(Locale.ROOT, "number %d is missing%s", checked(series), inSeries(series));
    }
    boolean answered =
        "SOLD".equals(outcome)
            && row.getLong("answered") == number
            && row.getInt("answered_series") == series.id();
    if (!answered && keyMismatch == null) {
      keyMismatch =
          String.format(
              Locale.ROOT,
              "the idempotency record of sale %d%s is missing or names another result",
              number,
              inSeries(series));
    }
    SaleKind kind = SaleKind.valueOf(row.getString("kind"));
    for (SaleLine line : JsonColumns.lines(row.getString("lines"))) {
      long units = line.quantity();
      sold.merge(line.productId(), kind.takesStock() ? units : -units, Long::sum);
      if (kind.isTrade()) {
        traded.merge(line.productId(), units, Long::sum);
      }
    }
    returns += kind == SaleKind.RETURN ? 1 : 0;
    checked.put(series, number + 1);
  }

  /// Suffix of a sale number that is not in the store's series.
  private static String inSeries(SaleSeries series) {
    return series == SaleSeries.STORE ? "" : " in series " + series;
  }

  /// The number of checked sales of each series.
  private String checkedUpTo() {
    return Stream.of(SaleSeries.values())
        .filter(it -> it == SaleSeries.STORE || checked(it) > 0)
        .map(it -> checked(it) + inSeries(it))
        .collect(Collectors.joining(" and ", "checked up to ", ""));
  }

  /// Reads the rows without validating the products.
  private static List<ProductUnits> products(Connection connection) throws SQLException {
    return ProductStore.PRODUCTS.rows(
        connection,
        row ->
            new ProductUnits(
                row.getLong("id"),
                row.getLong("owner"),
                row.getString("name"),
                row.getLong("quantity"),
                row.getLong("volume")),
        "");
  }

  private AuditCheckResult stock(List<ProductUnits> products, Connection connection)
      throws SQLException {
    Map<Long, Long> addedUnits =
        sums(connection, "SELECT product_id, sum(quantity) FROM stock_change GROUP BY product_id");
    for (ProductUnits product : products) {
      long added = addedUnits.getOrDefault(product.id(), 0L);
      long soldUnits = sold.getOrDefault(product.id(), 0L);
      if (product.quantity() != added - soldUnits) {
        return new AuditCheckResult(
            "stock",
            false,
            String.format(
                Locale.ROOT,
                "%s: %d units added, %d sold, so %d expected in stock; found %d",
                product.name(),
                added,
                soldUnits,
                added - soldUnits,
                product.quantity()));
      }
    }
    return new AuditCheckResult(
        "stock",
        true,
        String.format(
            Locale.ROOT,
            "stock = initial stock + restocked - removed + sold back + returned - sold, for %d products after %d sales",
            products.size(),
            checked.values().stream().mapToLong(it -> it).sum()));
  }

  private static AuditCheckResult neverNegative(List<ProductUnits> products) {
    for (ProductUnits product : products) {
      if (product.quantity() < 0) {
        return new AuditCheckResult(
            "stock is never negative",
            false,
            String.format(Locale.ROOT, "%s has %d in stock", product.name(), product.quantity()));
      }
    }
    return new AuditCheckResult("stock is never negative", true, "no product has a negative stock");
  }

  private AuditCheckResult volume(List<ProductUnits> products, Connection connection)
      throws SQLException {
    Map<Long, Long> changed =
        sums(connection, "SELECT product_id, sum(units) FROM volume_change GROUP BY product_id");
    for (ProductUnits product : products) {
      long units = traded.getOrDefault(product.id(), 0L);
      long counted = units + changed.getOrDefault(product.id(), 0L);
      if (product.volume() != counted) {
        return new AuditCheckResult(
            "volume",
            false,
            String.format(
                Locale.ROOT,
                "%s: %d units traded, expected volume %d, found %d",
                product.name(),
                units,
                counted,
                product.volume()));
      }
    }
    return new AuditCheckResult("volume", true, "volume = units traded since the last reset");
  }

  /// Each product with an owner has the details of an item, and only these have.
  private static AuditCheckResult items(List<ProductUnits> products, Connection connection)
      throws SQLException {
    Map<Long, Long> sellers = new HashMap<>();
    ProductStore.ITEMS.rows(
        connection, row -> sellers.put(row.getLong("product_id"), row.getLong("seller_id")), "");
    int items = sellers.size();
    for (ProductUnits product : products) {
      long seller = requireNonNullElse(sellers.remove(product.id()), 0L);
      if (seller != product.owner()) {
        return new AuditCheckResult(
            "items",
            false,
            String.format(
                Locale.ROOT,
                "%s: product %d has owner %d, but its item has seller %d",
                product.name(),
                product.id(),
                product.owner(),
                seller));
      }
    }
    return new AuditCheckResult(
        "items",
        sellers.isEmpty(),
        sellers.isEmpty()
            ? String.format(Locale.ROOT, "the details of all %d items are present", items)
            : "no product for the items " + sellers.keySet());
  }

  /// Returns how a return differs from its purchase, or null. The table of returns has each
  /// purchase at most once.
  private @Nullable String wrongReturn(Connection connection) throws SQLException {
    List<SaleStore.ReturnRow> rows = SaleStore.returns(connection);
    Set<Long> numbers = new HashSet<>();
    for (SaleStore.ReturnRow row : rows) {
      Sale purchase = purchase(connection, row.purchase());
      Sale returned = purchase(connection, row.number());
      boolean matches =
          purchase != null
              && purchase.kind() == SaleKind.ORDER
              && returned != null
              && returned.kind() == SaleKind.RETURN
              && returned.lines().equals(purchase.lines())
              && numbers.add(row.number());
      if (!matches) {
        return String.format(
            Locale.ROOT, "sale %d is not the return of purchase %d", row.number(), row.purchase());
      }
    }
    return numbers.size() == returns
        ? null
        : String.format(
            Locale.ROOT,
            "%d sales are returns, but only %d name their purchase",
            returns,
            numbers.size());
  }

  private static @Nullable Sale purchase(Connection connection, long number) throws SQLException {
    return SaleStore.find(connection, SaleSeries.PURCHASES, number).orElse(null);
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
}
