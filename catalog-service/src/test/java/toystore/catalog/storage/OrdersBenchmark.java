package toystore.catalog.storage;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.CatalogDecider;
import toystore.catalog.domain.CatalogRefusal;
import toystore.catalog.domain.ProductSpec;
import toystore.catalog.domain.RequestedSaleLine;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.idempotency.Submitted;
import toystore.platform.storage.LockedFolder;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;

/// Creates a store with many orders through the catalog's own writer. Use it to check that the
/// number of stored orders does not affect a running store: `OrdersBenchmark DATA_FOLDER ORDERS`,
/// then `./toystore up --data DATA_FOLDER`. It needs the test class path of this module.
final class OrdersBenchmark {
  private static final int IN_FLIGHT = 5_000;
  private static final long STOCK = 1_000_000_000;

  private OrdersBenchmark() {}

  public static void main(String[] args) throws Exception {
    Path data = Path.of(args[0]).toAbsolutePath();
    long orders = Long.parseLong(args[1]);
    long begin = System.nanoTime();
    try (LockedFolder folder = LockedFolder.lock(data.resolve("catalog"));
        SqliteFile file = SqliteFile.open(folder.file("catalog.db"), "db/catalog");
        var writer = writer(file)) {
      writer.submit(
          new Submitted<>(
              new CatalogCommand.Import(
                  List.of(new ProductSpec("Tux", 2599, STOCK, "Plush animals", null)), false)));
      var waiting = new Semaphore(IN_FLIGHT);
      for (long i = 0; i < orders; i++) {
        waiting.acquire();
        writer.submit(order(i)).whenComplete((_, _) -> waiting.release());
      }
      waiting.acquire(IN_FLIGHT);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        Locale.ROOT, "%d orders in %.1f s, %.0f/s%n", orders, seconds, orders / seconds);
  }

  private static SingleWriter<CatalogDecider> writer(SqliteFile file) throws SQLException {
    var batchStore = new CatalogBatchStore(file, new Catalog(), InstantSource.system());
    return new SingleWriter<>("many", batchStore, 10_000, 500, OrdersBenchmark::die);
  }

  private static Submitted<CatalogDecider, Sale, CatalogRefusal> order(long i) {
    var key =
        new RequestKey(
            "POST /orders", String.format(Locale.ROOT, "018f0000-0000-7000-8000-%012x", i), false);
    var sell =
        new CatalogCommand.Sell(
            SaleSeries.STORE, SaleKind.ORDER, false, List.of(new RequestedSaleLine("Tux", 1)));
    return new Submitted<>(sell, key, null, () -> false);
  }

  private static void die(Throwable failure) {
    throw new IllegalStateException(failure);
  }
}
