package toystore.order.purchases;

import static toystore.platform.rpc.UnaryFutures.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import toystore.order.OrderSettings;
import toystore.order.domain.ItemSale;
import toystore.order.domain.OrderCommand;
import toystore.order.domain.OrderUnitOfWork;
import toystore.order.domain.SaleKey;
import toystore.order.storage.OrderBatches;
import toystore.order.storage.PurchaseStore;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Submitted;
import toystore.platform.rpc.CommonMessages;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.StateLoadedEvent;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;

/// Compares the purchases with the catalog's sales of series PURCHASES, which are right: at the
/// start, each second, and after the catalog was away. Sales that this database lacks, because it
/// was restored or deleted, are recorded.
///
/// No purchase begins before that is done, nor if the catalog lacks the last sale that is known
/// here, because it was restored from an older backup. Nor does the [PurchaseDriver] continue one:
/// a purchase is not voided whose sale the catalog has. The [PaymentReconciliation] follows. The
/// service is ready once the purchases were compared; if they do not match, orders are still placed
/// and read.
///
/// One dedicated thread asks the catalog. Any thread may call the methods.
@Component("purchases")
public final class PurchaseRecovery implements HealthIndicator, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PurchaseRecovery.class);
  private static final int PAGE_SIZE = 1_000;
  private static final long INTERVAL_MILLIS = 1_000;
  private static final long RETRY_MILLIS = 100;

  private static final RpcError NOT_COMPARED =
      new RpcError(
          ErrorReason.NOT_DONE,
          "the purchases are not yet compared with the catalog; nothing was bought; retry later");

  private final ItemSalesClient items;
  private final OrderBatches store;
  private final ReadPool reader;
  private final SingleWriter<OrderUnitOfWork> writer;
  private final PurchaseDriver driver;
  private final PaymentReconciliation reconciliation;
  private final OrderSettings settings;
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("purchase-recovery").factory());
  private volatile @Nullable RpcError refusal = NOT_COMPARED;
  private volatile boolean compared;
  private boolean failing;
  private boolean resumed;

  PurchaseRecovery(
      ItemSalesClient items,
      OrderBatches store,
      ReadPool readPool,
      SingleWriter<OrderUnitOfWork> writer,
      PurchaseDriver driver,
      PaymentReconciliation reconciliation,
      OrderSettings settings,
      MeterRegistry registry) {
    this.items = items;
    this.store = store;
    this.reader = readPool;
    this.writer = writer;
    this.driver = driver;
    this.reconciliation = reconciliation;
    this.settings = settings;
    Gauge.builder("toystore.purchases.accepted", this, it -> it.refusal == null ? 1 : 0)
        .description("1 while purchases are accepted: they are compared with the catalog's sales")
        .register(registry);
  }

  @EventListener(StateLoadedEvent.class)
  void start() {
    scheduler.execute(this::run);
  }

  /// @return null if a purchase may begin
  public @Nullable RpcError refusal() {
    return refusal;
  }

  @Override
  public Health health() {
    RpcError why = refusal;
    Health.Builder health =
        compared
            ? Health.up()
            : Health.outOfService()
                .withDetail(
                    "waiting",
                    "ready when the purchases are compared with the catalog at toystore.order.catalog-target="
                        + settings.catalogTarget());
    return why == null ? health.build() : health.withDetail("refused", why.message()).build();
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  private void run() {
    RpcError found;
    try {
      found = recover();
      if (found == null && !resumed) {
        resumed = await(driver.resume());
      }
      compared = true;
      failing = false;
    } catch (RuntimeException e) { // the catalog may come back restored from a backup
      found = NOT_COMPARED;
      if (!failing) {
        log.warn(
            "cannot compare the purchases with the catalog's sales; nothing can be bought until then: {}",
            e.getMessage());
      }
      failing = true;
    }
    if (found != null && found != NOT_COMPARED && !found.equals(refusal)) {
      log.error("{}; see docs/how-to/back-up.md", found.message());
    }
    refusal = found;
    long pause = found == NOT_COMPARED ? RETRY_MILLIS : INTERVAL_MILLIS;
    if (found == null && reconciliation.step()) {
      pause = 0;
    }
    scheduler.schedule(this::run, pause, TimeUnit.MILLISECONDS);
  }

  /// @return null if the purchases have all sales of the catalog
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
        resumed = false;
        var recovered = await(writer.submit(new Submitted<>(new OrderCommand.Recover(unknown))));
        CommonMessages.done(recovered).value().forEach(log::error);
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
          "the last sale of a purchase is %d, but the catalog ends with %d", last, page.next() - 1);
    }
    ItemSale sale = page.sales().getFirst();
    return await(reader.read(connection -> PurchaseStore.findByNumber(connection, last))).stream()
            .anyMatch(it -> SaleKey.of(it, sale.isReturn()).stored().equals(sale.key()))
        ? null
        : behind(
            "sale %d of the catalog, which ends with %d, belongs to another purchase than here",
            last, page.next() - 1);
  }

  private static RpcError behind(String how, Object... numbers) {
    return new RpcError(
        ErrorReason.CATALOG_BEHIND,
        String.format(Locale.ROOT, how, numbers)
            + "; nothing can be bought until an operator resolves this");
  }
}
