package toystore.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.writer.DamagedException;
import toystore.writer.Ledger;
import toystore.writer.SqliteFile;

/// Lets the till's decisions become rows, and then the published catalog.
///
/// ```
/// decide  Till: published catalog + the batch's own changes + kept answers
/// write   product, stock_change, price_change, volume_change, sale, answer
/// commit  all of them: one transaction
/// publish Catalog
/// ```
final class CatalogLedger implements Ledger<Request, Answer>, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CatalogLedger.class);
  private static final Duration FORGET_EVERY = Duration.ofSeconds(1);
  private static final int FORGET_AT_ONCE = 200;

  private final SqliteFile file;
  private final Catalog catalog;
  private final InstantSource clock;
  private final Connection writing;
  private final ProductStore products;
  private final SaleStore sales;
  private volatile long nextNumber; // read by any thread
  private long nextProductId = 1;
  private Instant forgotAt = Instant.EPOCH;

  /// Reads what was committed and publishes it.
  CatalogLedger(SqliteFile file, Catalog catalog, InstantSource clock) throws SQLException {
    this.file = file;
    this.catalog = catalog;
    this.clock = clock;
    this.writing = file.writing();
    this.products = new ProductStore(writing);
    this.sales = new SaleStore(writing);
    for (ProductStore.Row row : ProductStore.all(writing)) {
      nextProductId = row.product().id() + 1;
      if (!row.removed()) {
        catalog.publish(row.product().name(), row.product());
      }
    }
    this.nextNumber = SaleStore.nextNumber(writing, Series.STORE);
    file.rollback();
  }

  /// Whether there never was a product.
  boolean isNew() {
    return nextProductId == 1;
  }

  /// The number the next sale of the store gets. Any thread.
  long nextNumber() {
    return nextNumber;
  }

  @Override
  public Batch<Request, Answer> open() {
    return new Open(new Till(catalog, clock, nextNumber, nextProductId));
  }

  @Override
  public void tidy() throws SQLException {
    file.tidy();
    Instant now = clock.instant();
    if (now.isAfter(forgotAt.plus(FORGET_EVERY))) {
      forgotAt = now;
      file.commit(() -> sales.forgetAnswers(now, FORGET_AT_ONCE));
    }
  }

  @Override
  public void probe() throws SQLException {
    file.probe();
  }

  @Override
  public void close() throws SQLException {
    products.close();
    sales.close();
  }

  /// One batch.
  private final class Open implements Batch<Request, Answer> {
    private final Till till;

    Open(Till till) {
      this.till = till;
    }

    @Override
    public Answer decide(Request request) throws SQLException {
      KeptAnswer known;
      try {
        known = request.key() == null ? null : known(request.key());
      } catch (DamagedException e) { // of this key alone: the batch's others go on
        log.error("{}", e.getMessage());
        return new Refused(Reason.DAMAGED, "internal error");
      }
      return till.decide(request, known);
    }

    private @Nullable KeptAnswer known(Key key) throws SQLException {
      KeptAnswer inBatch = till.kept(key);
      return inBatch == null ? sales.findAnswer(key.stored()) : inBatch;
    }

    @Override
    public void write() throws SQLException {
      for (Product product : till.products()) {
        write(product, till.isRemoved(product));
      }
      for (Till.StockChange change : till.stockChanges()) {
        products.add(change);
      }
      for (Till.PriceChange change : till.priceChanges()) {
        products.add(change);
      }
      for (Till.VolumeChange change : till.volumeChanges()) {
        products.add(change);
      }
      for (Sale sale : till.sales()) {
        sales.add(sale);
      }
      for (KeptAnswer kept : till.keptAnswers()) {
        sales.add(kept);
      }
    }

    private void write(Product product, boolean removed) throws SQLException {
      products.put(product, removed);
      Product before = catalog.find(product.name());
      boolean sameWords =
          !removed
              && before != null
              && before.id() == product.id()
              && before.category().equals(product.category());
      if (!sameWords) {
        products.putWords(product.id(), removed ? null : product);
      }
    }

    @Override
    public void commit() throws SQLException {
      file.commit();
    }

    @Override
    public void rollback() {
      file.rollback();
    }

    @Override
    public void publish() {
      till.onSale().forEach(catalog::publish);
      nextNumber = till.nextNumber();
      nextProductId = till.nextProductId();
    }
  }
}
