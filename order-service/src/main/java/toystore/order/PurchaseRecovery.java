package toystore.order;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.platform.idempotency.Submitted;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;

/// Compares the purchases with the catalog's sales of series PURCHASES, which are right: at the
/// start, and after the catalog was away. Sales after the last one that is known here are recorded.
/// They exist if this database was restored from an older backup, or deleted.
///
/// No purchase begins before that is done, nor if the catalog does not have the last sale that is
/// known here, because then the catalog was restored from an older backup.
///
/// One dedicated thread asks the catalog. Any thread may call the methods.
final class PurchaseRecovery implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PurchaseRecovery.class);
  private static final int PAGE_SIZE = 1_000;
  private static final long INTERVAL_MILLIS = 1_000;
  private static final long RETRY_MILLIS = 100;

  private static final RpcError NOT_COMPARED =
      new RpcError(
          ErrorReason.NOT_DONE,
          "the purchases are not yet compared with the catalog; nothing was bought; retry later");

  private final ItemSalesClient items;
  private final OrderBatchStore store;
  private final ReadPool reader;
  private final SingleWriter<OrderDecider> writer;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("purchase-recovery").factory());
  private volatile @Nullable RpcError refusal = NOT_COMPARED;
  private volatile boolean compared;
  private boolean failing;

  PurchaseRecovery(
      ItemSalesClient items,
      OrderBatchStore store,
      ReadPool reader,
      SingleWriter<OrderDecider> writer) {
    this.items = items;
    this.store = store;
    this.reader = reader;
    this.writer = writer;
    scheduler.execute(this::run);
  }

  /// Why no purchase may begin; null if it may.
  @Nullable RpcError refusal() {
    return refusal;
  }

  /// Whether the purchases were compared since the start, with whatever result.
  boolean isCompared() {
    return compared;
  }

  /// Completes when the purchases have all sales of the catalog for the first time since the start.
  CompletionStage<Void> done() {
    return done;
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  private void run() {
    RpcError before = refusal;
    RpcError found;
    try {
      found = recover();
      compared = true;
      failing = false;
      if (found == null) {
        done.complete(null);
      }
    } catch (RuntimeException e) { // the catalog may come back restored from a backup
      found = NOT_COMPARED;
      if (!failing) {
        log.warn(
            "cannot compare the purchases with the catalog's sales; nothing can be bought until then: {}",
            e.getMessage());
      }
      failing = true;
    }
    if (found != null && found != NOT_COMPARED && !found.equals(before)) {
      log.error("{}; see docs/operations.md", found.message());
    }
    refusal = found;
    scheduler.schedule(
        this::run, found == NOT_COMPARED ? RETRY_MILLIS : INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// @return the difference, or null if the purchases have all sales of the catalog
  private @Nullable RpcError recover() {
    long last = store.lastNumber();
    long from = Math.max(0, last);
    while (true) {
      ItemSalesClient.SalesPage page = await(items.sales(from, PAGE_SIZE));
      if (from <= last) {
        RpcError difference = difference(last, page);
        if (difference != null) {
          return difference;
        }
      }
      List<ItemSale> unknown = page.sales().stream().filter(it -> it.number() > last).toList();
      if (!unknown.isEmpty()) {
        await(writer.submit(new Submitted<>(new OrderCommand.RecoverPurchases(unknown))));
      }
      from += page.sales().size();
      if (page.sales().isEmpty() || from >= page.next()) {
        return null;
      }
    }
  }

  private @Nullable RpcError difference(long last, ItemSalesClient.SalesPage page) {
    if (last >= page.next()) {
      return behind(
          String.format(
              Locale.ROOT,
              "the last sale of a purchase is %d, but the catalog ends with %d",
              last,
              page.next() - 1));
    }
    ItemSale sale = page.sales().getFirst();
    return await(reader.read(connection -> PurchaseStore.has(connection, sale)))
        ? null
        : behind(
            String.format(
                Locale.ROOT,
                "sale %d of the catalog, which ends with %d, belongs to another purchase than here",
                last,
                page.next() - 1));
  }

  private static RpcError behind(String how) {
    return new RpcError(
        OrderErrorReasons.CATALOG_BEHIND,
        how + "; nothing can be bought until an operator resolves this");
  }

  private static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }
}
