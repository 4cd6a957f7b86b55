package toystore.catalog.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogDecider;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.RecordedChange;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.domain.SalesCounter;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.IdempotencyRecords;
import toystore.platform.storage.Database;
import toystore.platform.storage.DatabaseBatchStore;
import toystore.platform.storage.RowReadException;

/// Writes the decisions of a [CatalogDecider] as rows and publishes them to the [Catalog].
///
/// ```
/// decide  CatalogDecider: published catalog + the batch's own changes + stored answers
/// write   product, item, stock_change, price_change, volume_change, recorded_change, sale,
///         stock_trade, sale_return, answer
/// commit  all of them: one transaction
/// publish Catalog
/// ```
public final class CatalogBatchStore extends DatabaseBatchStore<CatalogDecider> {
  private final Database database;
  private final Catalog catalog;
  private final InstantSource clock;
  private final ProductStore products;
  private final SaleStore sales;
  private final ChangeStore changes;
  private final IdempotencyRecords answers;
  private volatile Map<SaleSeries, Long> nextNumbers = Map.of(); // read by any thread
  private long nextProductId = 1;
  private long lastChange;
  private final Map<SeriesAndKind, SalesCounter> counters = new ConcurrentHashMap<>();

  private record SeriesAndKind(SaleSeries series, SaleKind kind) {}

  public CatalogBatchStore(Database database, Catalog catalog, InstantSource clock) {
    super(database);
    this.database = database;
    this.catalog = catalog;
    this.clock = clock;
    this.products = new ProductStore(database);
    this.sales = new SaleStore(database);
    this.changes = new ChangeStore(database);
    this.answers = new IdempotencyRecords(database, SaleStore.ANSWERS, true);
  }

  @Override
  protected void load(Connection writing) throws SQLException {
    for (ProductStore.Row row : ProductStore.all(writing)) {
      nextProductId = row.product().id() + 1;
      if (!row.removed()) {
        publish(row.product());
      }
    }
    Map<SaleSeries, Long> next = new EnumMap<>(SaleSeries.class);
    for (SaleSeries series : SaleSeries.values()) {
      next.put(series, SaleStore.nextNumber(writing, series));
    }
    nextNumbers = next;
    lastChange = ChangeStore.lastNumber(writing);
  }

  /// Whether no product was ever added.
  public boolean isNew() {
    return nextProductId == 1;
  }

  private void publish(Product product) {
    if (product.item() == null) {
      catalog.publish(product.name(), product);
    } else {
      catalog.items().publish(product);
    }
  }

  /// The next sale number of a series. Any thread.
  public long nextNumber(SaleSeries series) {
    return nextNumbers.getOrDefault(series, 0L);
  }

  /// The sales of a kind in a series since this start. Any thread.
  public SalesCounter counter(SaleSeries series, SaleKind kind) {
    return counters.computeIfAbsent(new SeriesAndKind(series, kind), _ -> new SalesCounter());
  }

  @Override
  public Batch<CatalogDecider> open() {
    return new OpenBatch(
        new CatalogDecider(
            catalog,
            number ->
                RowReadException.unchecked(
                    () -> SaleStore.find(database.writing(), SaleSeries.PURCHASES, number)),
            number ->
                RowReadException.unchecked(() -> SaleStore.isReturned(database.writing(), number)),
            new BatchIdempotency(answers, clock),
            nextNumbers,
            nextProductId));
  }

  /// One batch.
  private final class OpenBatch extends Transaction {
    private final CatalogDecider decider;

    OpenBatch(CatalogDecider decider) {
      this.decider = decider;
    }

    @Override
    protected CatalogDecider decider() {
      return decider;
    }

    @Override
    public void write() throws SQLException {
      for (Product product : decider.products()) {
        write(product, decider.isRemoved(product));
      }
      for (CatalogDecider.Explanation explanation : decider.explanations()) {
        products.add(explanation);
      }
      long number = lastChange;
      for (RecordedChange change : decider.changes()) {
        changes.add(new ChangeStore.Row(++number, change));
      }
      for (Sale sale : decider.sales()) {
        sales.add(sale);
      }
      for (Map.Entry<Long, Long> one : decider.returns().entrySet()) {
        sales.addReturn(one.getKey(), one.getValue());
      }
      answers.write(decider.keys().records(), clock.instant());
    }

    private void write(Product product, boolean removed) throws SQLException {
      products.put(new ProductStore.Row(product, removed));
      if (product.item() != null) { // the words of the shop's own products only are searched
        if (decider.isAdded(product)) {
          products.add(product.id(), product.item());
        }
        return;
      }
      Product before = catalog.find(product.id());
      boolean sameWords =
          !removed && before != null && before.category().equals(product.category());
      if (!sameWords) {
        products.putWords(product.id(), removed ? null : product);
      }
    }

    @Override
    public void publish() {
      catalog.publish(decider.onSale());
      for (Product product : decider.products()) {
        if (product.item() != null) {
          catalog.items().publish(product);
        }
      }
      for (Sale sale : decider.sales()) {
        counter(sale.series(), sale.kind()).add(sale);
        if (sale.series() == SaleSeries.STORE) {
          catalog.publish(sale);
        }
      }
      nextNumbers = decider.nextNumbers();
      nextProductId = decider.nextProductId();
      lastChange += decider.changes().size();
    }
  }
}
