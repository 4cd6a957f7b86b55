package toystore.catalog.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.RecordedChange;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.catalog.domain.SalesCounter;
import toystore.platform.journal.KeyJournal;
import toystore.platform.storage.Batches;
import toystore.platform.storage.Database;

/// The committed state of the catalog, and the batches that change it.
///
/// ```
/// decide  CatalogUnitOfWork: published catalog + committed rows + the batch's own changes
/// write   product, item, stock_change, price_change, volume_change, recorded_change, sale,
///         stock_trade, sale_return, answer
/// commit  all of them: one transaction
/// publish Catalog
/// ```
public final class CatalogBatches implements Batches<CatalogUnitOfWork> {
  private final Database database;
  private final Catalog catalog;
  private final ProductStore productRows;
  private final SaleStore saleRows;
  private final ChangeStore changeRows;
  private final KeyJournal journal;
  private volatile Map<SaleSeries, Long> nextNumbers = Map.of(); // read by any thread
  private long nextProductId = 1;
  private long lastChange;
  private final Map<SeriesAndKind, SalesCounter> counters = new ConcurrentHashMap<>();

  private record SeriesAndKind(SaleSeries series, SaleKind kind) {}

  public CatalogBatches(Database database, Catalog catalog, InstantSource clock) {
    this.database = database;
    this.catalog = catalog;
    this.productRows = new ProductStore(database);
    this.saleRows = new SaleStore(database);
    this.changeRows = new ChangeStore(database);
    this.journal = new KeyJournal(database, SaleStore.ANSWERS, clock, true);
  }

  @Override
  public void load() throws SQLException {
    Connection writing = database.queryConnection();
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

  /// Any thread.
  public long nextNumber(SaleSeries series) {
    return nextNumbers.getOrDefault(series, 0L);
  }

  /// Since this start. Any thread.
  public SalesCounter counter(SaleSeries series, SaleKind kind) {
    return counters.computeIfAbsent(new SeriesAndKind(series, kind), _ -> new SalesCounter());
  }

  @Override
  public CatalogUnitOfWork begin() {
    journal.begin();
    return new Batch();
  }

  private final class Batch extends CatalogUnitOfWork {
    Batch() {
      super(
          catalog,
          number ->
              SaleStore.find(database.queryConnection(), SaleSeries.PURCHASES, number).orElse(null),
          number -> SaleStore.returnOf(database.queryConnection(), number).orElse(null),
          journal,
          nextNumbers,
          nextProductId);
    }

    @Override
    public void write() throws SQLException {
      for (Product product : products.changed().values()) {
        write(product, removed.contains(product.id()));
      }
      for (Explanation explanation : explanations) {
        productRows.add(explanation);
      }
      long number = lastChange;
      for (RecordedChange change : changes) {
        changeRows.add(new ChangeStore.Row(++number, change));
      }
      for (Sale sale : sales) {
        saleRows.add(sale);
      }
      for (Map.Entry<Long, Long> one : returns.changed().entrySet()) {
        saleRows.addReturn(one.getKey(), one.getValue());
      }
      journal.write();
    }

    private void write(Product product, boolean isRemoved) throws SQLException {
      productRows.put(new ProductStore.Row(product, isRemoved));
      if (product.item() != null) { // the words of the shop's own products only are searched
        if (added.contains(product.id())) {
          productRows.add(product.id(), product.item());
        }
        return;
      }
      Product before = catalog.find(product.id());
      boolean sameWords =
          !isRemoved && before != null && before.category().equals(product.category());
      if (!sameWords) {
        productRows.putWords(product.id(), isRemoved ? null : product);
      }
    }

    @Override
    public void publish() {
      catalog.publish(onSale.changed());
      for (Product product : products.changed().values()) {
        if (product.item() != null) {
          catalog.items().publish(product);
        }
      }
      for (Sale sale : sales) {
        counter(sale.series(), sale.kind()).add(sale);
        if (sale.series() == SaleSeries.STORE) {
          catalog.publish(sale);
        }
      }
      CatalogBatches.this.nextNumbers = nextNumbers();
      CatalogBatches.this.nextProductId = nextProductId();
      lastChange += changes.size();
    }
  }
}
