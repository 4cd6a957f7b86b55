package toystore.catalog.storage;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand.RecordedFor;
import toystore.catalog.domain.CatalogCommand.RestockSoldOut;
import toystore.catalog.domain.CatalogUnitOfWork;
import toystore.catalog.domain.Product;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Submitted;
import toystore.platform.storage.SingleWriter;

/// Fills sold-out toys. Traded products and sellers' items stay sold out. A standby has no
/// products, so only the active process does this.
public final class AutomaticRestock {
  private static final Logger log = LoggerFactory.getLogger(AutomaticRestock.class);
  static final String CHANGED_BY = "store, restock-interval";
  private static final long QUANTITY = 100;

  private final Catalog catalog;
  private final SingleWriter<CatalogUnitOfWork> writer;
  private final LongAdder restocked = new LongAdder();

  public AutomaticRestock(Catalog catalog, SingleWriter<CatalogUnitOfWork> writer) {
    this.catalog = catalog;
    this.writer = writer;
  }

  /// Since the start. Any thread.
  public long restocked() {
    return restocked.sum();
  }

  /// One command, so that all changes are in one commit. The next turn fills what this one leaves.
  /// One thread.
  public void run() {
    List<Long> soldOut = catalog.soldOutToys(RestockSoldOut.PRODUCTS);
    if (soldOut.isEmpty()) {
      return;
    }
    var command = new RecordedFor<>(CHANGED_BY, new RestockSoldOut(soldOut, QUANTITY));
    try {
      Answer<List<Product>> answer =
          writer.submit(new Submitted<>(command)).toCompletableFuture().join();
      if (answer instanceof Answer.Done<List<Product>>(List<Product> filled, _)) {
        restocked.add(filled.size());
      }
    } catch (CompletionException e) { // such as a full queue or a full disk
      log.warn("sold-out toys were not restocked; trying again: {}", e.getMessage());
    }
  }
}
