package toystore.catalog.storage;

import static java.util.Objects.requireNonNullElse;
import static toystore.catalog.storage.SaleStore.ANSWERS;
import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/// Checks the catalog's invariants and the checksum of each row. Sales never change, so the next
/// audit continues after those that were checked. The last page is read in one transaction with the
/// stock, so the sums are right under load. A full audit also runs SQLite's integrity check.
///
/// Any thread may call it. The one thread of the pool owns the remembered state.
public final class CatalogAudit implements Audit {
  private static final int PAGE = 1_000;
  private static final String ROWS = "rows as written";

  private final ReadPool reader;
  private final Map<Long, Long> sold = new HashMap<>();
  private final Map<Long, Long> traded = new HashMap<>();
  private final Map<SaleSeries, Long> checked = new EnumMap<>(SaleSeries.class);
  private long returns;
  private long changes;
  private @Nullable String gap;
  private @Nullable String keyMismatch;

  /// Not validated.
  ///
  /// @param owner 0: the shop
  private record ProductUnits(long id, long owner, String name, long quantity, long volume) {}

  private record SaleOfKey(String key, String outcome, int series, long number) {
    static SaleOfKey of(ResultSet answer) throws SQLException {
      return new SaleOfKey(
          answer.getString("key"),
          answer.getString("outcome"),
          answer.getInt("series"),
          answer.getLong("number"));
    }

    static SaleOfKey of(Sale sale) {
      return new SaleOfKey(sale.key(), SaleStore.SOLD, sale.series().id(), sale.number());
    }
  }

  /// @param reader with one thread
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
      changes = 0;
      gap = null;
      keyMismatch = null;
      // otherwise SQLite (3.54.1) compares the index with what it was at the last audit
      ProductWords.count(connection, "x", "");
      IntegrityCheck.integrityCheck(connection);
      checkOtherRecords(connection);
    }
    checkSales(connection);
    checkChanges(connection);
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

  /// The others are checked with their sale.
  private static void checkOtherRecords(Connection connection) throws SQLException {
    String others = "WHERE outcome <> ? AND key > ? ORDER BY key LIMIT ?";
    String after = "";
    List<String> page;
    do {
      page =
          ANSWERS.rows(
              connection, row -> row.getString("key"), others, SaleStore.SOLD, after, PAGE);
      after = page.isEmpty() ? after : page.getLast();
    } while (page.size() == PAGE);
  }

  private void checkSales(Connection connection) throws SQLException {
    for (SaleSeries series : SaleSeries.values()) {
      while (checkPage(connection, series) == PAGE) {
        // the next page
      }
    }
  }

  private void checkChanges(Connection connection) throws SQLException {
    int page;
    do {
      page = ChangeStore.run(connection, changes + 1, PAGE).size();
      changes += page;
    } while (page == PAGE);
  }

  private long checked(SaleSeries series) {
    return checked.getOrDefault(series, 0L);
  }

  /// @return number of sales
  private int checkPage(Connection connection, SaleSeries series) throws SQLException {
    Object[] page = {series.id(), checked(series), PAGE};
    String clause = "WHERE series = ? AND number >= ? ORDER BY number LIMIT ?";
    List<Sale> sales = SaleStore.sales(connection, clause, "ASC", page);
    Set<SaleOfKey> answers =
        Set.copyOf(
            ANSWERS.rows(
                connection,
                SaleOfKey::of,
                "WHERE key IN (SELECT key FROM sale " + clause + ")",
                page));
    for (Sale sale : sales) {
      check(sale, answers.contains(SaleOfKey.of(sale)));
    }
    return sales.size();
  }

  private void check(Sale sale, boolean isAnswered) {
    SaleSeries series = sale.series();
    long number = sale.number();
    if (number != checked(series) && gap == null) {
      gap = format("number %d is missing%s", checked(series), inSeries(series));
    }
    if (!isAnswered && keyMismatch == null) {
      keyMismatch =
          format(
              "the idempotency record of sale %d%s is missing or names another result",
              number, inSeries(series));
    }
    for (SaleLine line : sale.lines()) {
      long units = line.quantity();
      sold.merge(line.productId(), sale.kind().takesStock() ? units : -units, Long::sum);
      if (sale.kind().isTrade()) {
        traded.merge(line.productId(), units, Long::sum);
      }
    }
    returns += sale.kind() == SaleKind.RETURN ? 1 : 0;
    checked.put(series, number + 1);
  }

  private static String inSeries(SaleSeries series) {
    return series == SaleSeries.STORE ? "" : " in series " + series;
  }

  private String checkedUpTo() {
    return Stream.of(SaleSeries.values())
        .filter(it -> it == SaleSeries.STORE || checked(it) > 0)
        .map(it -> checked(it) + inSeries(it))
        .collect(Collectors.joining(" and ", "checked up to ", ""));
  }

  /// Without validation.
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
            format(
                "%s: %d units added, %d sold, so %d expected in stock; found %d",
                product.name(), added, soldUnits, added - soldUnits, product.quantity()));
      }
    }
    return new AuditCheckResult(
        "stock",
        true,
        format(
            "stock = initial stock + restocked - removed + sold back + returned - sold, for %d products after %d sales",
            products.size(), checked.values().stream().mapToLong(it -> it).sum()));
  }

  private static AuditCheckResult neverNegative(List<ProductUnits> products) {
    for (ProductUnits product : products) {
      if (product.quantity() < 0) {
        return new AuditCheckResult(
            "stock is never negative",
            false,
            format("%s has %d in stock", product.name(), product.quantity()));
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
            format(
                "%s: %d units traded, expected volume %d, found %d",
                product.name(), units, counted, product.volume()));
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
            format(
                "%s: product %d has owner %d, but its item has seller %d",
                product.name(), product.id(), product.owner(), seller));
      }
    }
    return new AuditCheckResult(
        "items",
        sellers.isEmpty(),
        sellers.isEmpty()
            ? format("the details of all %d items are present", items)
            : "no product for the items " + sellers.keySet());
  }

  /// @return null if each return has the lines of its purchase
  private @Nullable String wrongReturn(Connection connection) throws SQLException {
    List<SaleStore.ReturnRow> rows = SaleStore.returns(connection);
    Set<Long> numbers = new HashSet<>();
    for (SaleStore.ReturnRow row : rows) {
      Optional<List<SaleLine>> bought = lines(connection, row.purchase(), SaleKind.ORDER);
      boolean matches =
          bought.isPresent()
              && bought.equals(lines(connection, row.number(), SaleKind.RETURN))
              && numbers.add(row.number());
      if (!matches) {
        return format("sale %d is not the return of purchase %d", row.number(), row.purchase());
      }
    }
    return numbers.size() == returns
        ? null
        : format("%d sales are returns, but only %d name their purchase", returns, numbers.size());
  }

  private static Optional<List<SaleLine>> lines(Connection connection, long number, SaleKind kind)
      throws SQLException {
    return SaleStore.find(connection, SaleSeries.PURCHASES, number)
        .filter(sale -> sale.kind() == kind)
        .map(Sale::lines);
  }

  private static Map<Long, Long> sums(Connection connection, String query) throws SQLException {
    Map<Long, Long> sums = new HashMap<>();
    ProductStore.select(connection, row -> sums.put(row.getLong(1), row.getLong(2)), query);
    return sums;
  }
}
