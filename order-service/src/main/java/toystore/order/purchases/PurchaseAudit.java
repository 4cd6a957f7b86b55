package toystore.order.purchases;

import static toystore.common.RootLocale.format;
import static toystore.platform.rpc.UnaryFutures.await;

import io.grpc.Context;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import toystore.order.domain.ItemSale;
import toystore.order.domain.Purchase;
import toystore.order.domain.SaleKey;
import toystore.order.storage.OrderBatches;
import toystore.order.storage.PurchaseStore;
import toystore.order.storage.UnitTotalStore;
import toystore.platform.service.Audit;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.ReadPool;

/// Compares the purchases with the catalog's sales and returns, page by page, and with the ledger;
/// a full audit also compares the [UnitTotalStore]. Right under load: what follows from a
/// purchase's state is read before the purchase, and states only move forward. The next audit
/// continues before the first entry that was not final. The payment service's own checks follow,
/// since the frontend does not call that service.
///
/// Any thread may call [#run]. One dedicated thread compares.
@Component
final class PurchaseAudit implements Audit, AutoCloseable {
  private static final int PAGE_SIZE = 1_000;
  private static final int MAX_WAITING = 10;
  private static final String SALES = "purchases";
  private static final String PAYMENTS = "payments";

  private final ReadPool reader;
  private final OrderBatches store;
  private final ItemSalesClient items;
  private final PaymentClient payments;
  private final PaymentReconciliation reconciliation;
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_WAITING),
          Thread.ofPlatform().name("purchase-audit").factory());
  private long salesUpTo;
  private long paymentsUpTo;
  private long capturedUpTo;

  /// @param difference null if they match
  /// @param isFinal whether neither side changes any more
  private record Comparison(@Nullable String difference, boolean isFinal) {
    static final Comparison FINAL = new Comparison(null, true);
    static final Comparison PENDING = new Comparison(null, false);

    static Comparison differs(String format, Object... values) {
      return new Comparison(String.format(Locale.ROOT, format, values), true);
    }
  }

  PurchaseAudit(
      @Qualifier("auditReader") ReadPool reader,
      OrderBatches store,
      ItemSalesClient items,
      PaymentClient payments,
      PaymentReconciliation reconciliation) {
    this.reader = reader;
    this.reconciliation = reconciliation;
    this.store = store;
    this.items = items;
    this.payments = payments;
  }

  @Override
  public CompletionStage<List<AuditCheckResult>> run(boolean full) {
    return CompletableFuture.completedFuture(full)
        // supplyAsync would throw if the queue is full; an audit that is cancelled ends
        .thenApplyAsync(this::check, Context.current().fixedContextExecutor(executor))
        .exceptionally(failure -> List.of(AuditCheckResult.failed(SALES, failure)));
  }

  @Override
  public void close() {
    executor.close();
  }

  /// The second check only in a store with a payment service. If one cannot be made, the other
  /// still can.
  private List<AuditCheckResult> check(boolean full) {
    if (Context.current().isCancelled()) { // a full audit must not forget what is known for nobody
      throw NotExecutedException.because("the caller no longer waits");
    }
    if (full) {
      salesUpTo = 0;
      paymentsUpTo = 0;
      capturedUpTo = 0;
    }
    CompletionStage<List<AuditCheckResult>> ledger = payments.audit(full); // runs meanwhile
    List<AuditCheckResult> results = new ArrayList<>();
    results.add(result(SALES, () -> compareSales(full)));
    if (payments.isConfigured()) {
      results.add(result(PAYMENTS, this::comparePayments));
    }
    results.addAll(await(ledger));
    return results;
  }

  private static AuditCheckResult result(String name, Supplier<AuditCheckResult> check) {
    try {
      return check.get();
    } catch (RuntimeException e) {
      return AuditCheckResult.failed(name, e);
    }
  }

  private AuditCheckResult compareSales(boolean full) {
    long last = store.lastNumber(); // before the catalog's sales
    Comparison compared = full ? compareTotals() : Comparison.FINAL;
    long next = Long.MAX_VALUE;
    while (compared.equals(Comparison.FINAL) && salesUpTo < next) {
      ItemSalesClient.SalesPage page = await(items.sales(salesUpTo, PAGE_SIZE));
      next = page.sales().isEmpty() ? salesUpTo : page.next();
      for (ItemSale sale : page.sales()) {
        compared = compare(sale);
        if (!compared.equals(Comparison.FINAL)) {
          break;
        }
        salesUpTo++;
      }
    }
    if (compared.equals(Comparison.FINAL) && last >= next) {
      compared =
          Comparison.differs(
              "the last sale of a purchase is %d, but the catalog ends with %d", last, next - 1);
    }
    return AuditCheckResult.of(
        SALES,
        compared.difference,
        format("equal the catalog's sales up to %d%s", salesUpTo, open()));
  }

  private Comparison compareTotals() {
    return await(reader.read(UnitTotalStore::difference))
        .map(it -> new Comparison(it, true))
        .orElse(Comparison.FINAL);
  }

  private Comparison compare(ItemSale sale) {
    String kind = sale.isReturn() ? "return" : "sale";
    Purchase purchase =
        SaleKey.parse(sale.key()).map(SaleKey::purchaseId).map(this::find).orElse(null);
    if (purchase == null) {
      return Comparison.differs("sale %d of the series PURCHASES has no purchase", sale.number());
    }
    if (purchase.state()
        == (sale.isReturn() ? Purchase.State.RETURNING : Purchase.State.AUTHORISING)) {
      return Comparison.PENDING; // the catalog's answer is not recorded yet
    }
    if (!Objects.equals(purchase.number(sale.isReturn()), sale.number())) {
      return Comparison.differs(
          "purchase %s is %s, but the catalog has its %s %d",
          purchase.id(), purchase.state(), kind, sale.number());
    }
    for (Purchase other :
        await(reader.read(connection -> PurchaseStore.findByNumber(connection, sale.number())))) {
      if (!other.id().equals(purchase.id())) {
        return Comparison.differs(
            "purchase %s has the number of %s %d, which belongs to another purchase",
            other.id(), kind, sale.number());
      }
    }
    return purchase.cart().equals(sale.lines())
        ? Comparison.FINAL
        : Comparison.differs(
            "lines of purchase %s differ from sale %d", purchase.id(), sale.number());
  }

  private AuditCheckResult comparePayments() {
    long recorded = await(reader.read(PurchaseStore::captured));
    String difference = null;
    boolean allFinal = true;
    long captured = capturedUpTo;
    long next = paymentsUpTo;
    long end = Long.MAX_VALUE;
    while (difference == null && next < end) {
      PaymentClient.LedgerPage page = await(payments.list(next, PAGE_SIZE));
      end = page.payments().isEmpty() ? next : page.next();
      for (PaymentClient.Payment payment : page.payments()) {
        Comparison compared = compare(payment);
        difference = compared.difference;
        if (difference != null) {
          break;
        }
        next++;
        captured +=
            compared.isFinal && payment.state() == PaymentClient.Payment.State.CAPTURED ? 1 : 0;
        allFinal &= compared.isFinal;
        if (allFinal) {
          paymentsUpTo = next;
          capturedUpTo = captured;
        }
      }
    }
    if (difference == null && captured < recorded) {
      difference =
          format(
              "%d purchases are captured, but only %d of their payments are", recorded, captured);
    }
    return AuditCheckResult.of(
        PAYMENTS,
        difference,
        format("%d payments, %d of them captured, equal the purchases", next, captured));
  }

  private Comparison compare(PaymentClient.Payment payment) {
    Purchase purchase = find(payment.id());
    if (purchase == null) {
      return withoutPurchase(payment);
    }
    Purchase.State state = purchase.state();
    if (payment.state() == PaymentClient.Payment.State.WITHOUT_MONEY) {
      return state == Purchase.State.CAPTURED
          ? Comparison.differs(
              "purchase %s is captured, but payment %d is not", purchase.id(), payment.number())
          : Comparison.FINAL;
    }
    if (payment.amountCents() != purchase.cart().totalCents()) {
      return Comparison.differs(
          "payment %d is %d cents, but purchase %s is %d cents",
          payment.number(), payment.amountCents(), purchase.id(), purchase.cart().totalCents());
    }
    if (payment.state() == PaymentClient.Payment.State.AUTHORISED) {
      return state.isOpen() || !isStillAuthorised(payment)
          ? Comparison.PENDING
          : Comparison.differs(
              "payment %d is authorised, but purchase %s is %s",
              payment.number(), purchase.id(), state);
    }
    return switch (state) {
      case CAPTURED -> Comparison.FINAL;
      case SOLD -> Comparison.PENDING; // the answer to the capture is not recorded yet
      case AUTHORISING, DECLINED, VOIDING, VOIDED, RETURNING, RETURNED ->
          Comparison.differs(
              "payment %d is captured, but purchase %s is %s",
              payment.number(), purchase.id(), state);
    };
  }

  /// A final state is recorded after the ledger has changed, so a payment that is read after the
  /// purchase must not be authorised any more.
  private boolean isStillAuthorised(PaymentClient.Payment payment) {
    return await(payments.list(payment.number(), 1)).payments().getFirst().state()
        == PaymentClient.Payment.State.AUTHORISED;
  }

  /// It exists if its purchase was not sold and is deleted, or after a restore.
  private Comparison withoutPurchase(PaymentClient.Payment payment) {
    if (payment.state() == PaymentClient.Payment.State.WITHOUT_MONEY) {
      return Comparison.FINAL;
    }
    if (payment.state() == PaymentClient.Payment.State.AUTHORISED && !isStillAuthorised(payment)) {
      return Comparison.PENDING;
    }
    if (!reconciliation.isDone()) {
      throw NotExecutedException.because(
          format(
              "payment %d has no purchase yet; the catalog's sales and the ledger are still being compared",
              payment.number()));
    }
    return Comparison.differs(
        "payment %d (%s) of %d cents is %s, but has no purchase; see docs/reference/failures.md",
        payment.number(), payment.id(), payment.amountCents(), payment.state());
  }

  private @Nullable Purchase find(String id) {
    return await(reader.read(connection -> PurchaseStore.find(connection, id))).orElse(null);
  }

  private String open() {
    Map<Purchase.State, Long> open = new EnumMap<>(Purchase.State.class);
    await(reader.read(connection -> PurchaseStore.open(connection, PurchaseDriver.MAX_OPEN)))
        .forEach(it -> open.merge(it.state(), 1L, Long::sum));
    return open.entrySet().stream()
        .map(it -> format("; %d %s", it.getValue(), describe(it.getKey())))
        .collect(Collectors.joining());
  }

  private static String describe(Purchase.State state) {
    return state == Purchase.State.SOLD
        ? "sold, capture pending"
        : state.name().toLowerCase(Locale.ROOT);
  }
}
