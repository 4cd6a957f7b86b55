package toystore.order;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.ReadPool;

/// Compares the purchases with the sales and returns of series PURCHASES in the order book, and
/// with the ledger of the payment service. Right under load: what follows from a purchase's state
/// is read before the purchase itself, and states only move forward. The next audit continues
/// before the first entry that was not final, unless it is a full audit, which also compares the
/// [UnitTotalStore].
///
/// Used on the audit's thread only.
@Component
final class PurchaseAudit {
  private static final int PAGE_SIZE = 1_000;
  private static final String SALES = "purchases";
  private static final String PAYMENTS = "payments";

  private final ReadPool reader;
  private final BookBatchStore book;
  private final PaymentClient payments;
  private final PaymentReconciliation reconciliation;
  private long salesUpTo;
  private long paymentsUpTo;
  private long capturedUpTo;

  /// An entry that is compared with its purchase.
  ///
  /// @param difference null if they match
  /// @param isFinal whether neither of them changes any more
  private record Comparison(@Nullable String difference, boolean isFinal) {
    static final Comparison FINAL = new Comparison(null, true);
    static final Comparison PENDING = new Comparison(null, false);

    static Comparison differs(String difference) {
      return new Comparison(difference, true);
    }
  }

  /// Orders of the book and the purchases whose numbers are among theirs.
  private record BookPage(List<Order> orders, List<Purchase> sold, List<Purchase> returned) {}

  PurchaseAudit(
      @Qualifier("auditReader") ReadPool reader,
      BookBatchStore book,
      PaymentClient payments,
      PaymentReconciliation reconciliation) {
    this.reader = reader;
    this.reconciliation = reconciliation;
    this.book = book;
    this.payments = payments;
  }

  /// Makes both checks, the second one only in a store with a payment service. If one cannot be
  /// made, the other still can.
  List<AuditCheckResult> check(boolean full) {
    if (full) {
      salesUpTo = 0;
      paymentsUpTo = 0;
      capturedUpTo = 0;
    }
    AuditCheckResult sales = result(SALES, () -> compareSales(full));
    return payments.isConfigured()
        ? List.of(sales, result(PAYMENTS, this::comparePayments))
        : List.of(sales);
  }

  private static AuditCheckResult result(String name, Supplier<AuditCheckResult> check) {
    try {
      return check.get();
    } catch (RuntimeException e) {
      return AuditCheckResult.failed(name, e);
    }
  }

  private AuditCheckResult compareSales(boolean full) {
    long end = book.position(Order.Series.PURCHASES).next();
    String difference = full ? await(reader.read(UnitTotalStore::difference)).orElse(null) : null;
    boolean allFinal = true;
    while (difference == null && allFinal && salesUpTo < end) {
      BookPage page = bookPage(salesUpTo, (int) Math.min(PAGE_SIZE, end - salesUpTo));
      difference = wrongNumber(page);
      for (Order order : page.orders) {
        if (difference == null && allFinal) {
          Comparison compared = compare(order);
          difference = compared.difference;
          allFinal = compared.isFinal;
          salesUpTo += difference == null && allFinal ? 1 : 0;
        }
      }
    }
    return AuditCheckResult.of(
        SALES, difference, "equal the catalog's sales up to %d%s".formatted(salesUpTo, open()));
  }

  private BookPage bookPage(long from, int limit) {
    return await(
        reader.read(connection -> {
          List<Order> orders = OrderBookStore.page(connection, Order.Series.PURCHASES, from, limit);
          long to = from + orders.size();
          return new BookPage(
              orders,
              PurchaseStore.numbered(connection, false, from, to),
              PurchaseStore.numbered(connection, true, from, to));
        }));
  }

  /// Whether a purchase has the number of another sale.
  private static @Nullable String wrongNumber(BookPage page) {
    Map<Long, String> keys =
        page.orders.stream().collect(Collectors.toMap(Order::number, Order::key));
    for (Purchase purchase : page.sold) {
      long number = purchase.soldSale().number();
      if (!SaleKey.ofSale(purchase).requestKey().stored().equals(keys.get(number))) {
        return "purchase %s: sale %d belongs to another purchase".formatted(purchase.id(), number);
      }
    }
    for (Purchase purchase : page.returned) {
      Long number = purchase.returnNumber();
      if (!SaleKey.ofReturn(purchase).requestKey().stored().equals(keys.get(number))) {
        return "purchase %s: return %d belongs to another purchase"
            .formatted(purchase.id(), number);
      }
    }
    return null;
  }

  private Comparison compare(Order order) {
    Purchase purchase =
        SaleKey.parse(order.key()).map(SaleKey::purchaseId).map(this::find).orElse(null);
    if (purchase == null) {
      return Comparison.differs(
          "sale %d of the series PURCHASES has no purchase".formatted(order.number()));
    }
    boolean isReturn = order.kind() == Order.Kind.RETURN;
    if (purchase.state() == (isReturn ? Purchase.State.RETURNING : Purchase.State.AUTHORISED)) {
      return Comparison.PENDING; // the catalog's answer is not recorded yet
    }
    Long number =
        isReturn
            ? purchase.returnNumber()
            : purchase.sale() == null ? null : (Long) purchase.sale().number();
    if (number == null || number != order.number()) {
      return Comparison.differs(
          "purchase %s is %s, but the catalog has its %s %d"
              .formatted(
                  purchase.id(), purchase.state(), isReturn ? "return" : "sale", order.number()));
    }
    return purchase.cart().lines().equals(order.lines())
        ? Comparison.FINAL
        : Comparison.differs(
            "lines of purchase %s differ from sale %d".formatted(purchase.id(), order.number()));
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
        if (compared.difference != null) {
          difference = difference == null ? compared.difference : difference;
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
          "%d purchases are captured, but only %d of their payments are"
              .formatted(recorded, captured);
    }
    return AuditCheckResult.of(
        PAYMENTS,
        difference,
        "%d payments, %d of them captured, equal the purchases".formatted(next, captured));
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
              "purchase %s is captured, but payment %d is not"
                  .formatted(purchase.id(), payment.number()))
          : Comparison.FINAL;
    }
    if (payment.amountCents() != purchase.cart().totalCents()) {
      return Comparison.differs(
          "payment %d is %d cents, but purchase %s is %d cents"
              .formatted(
                  payment.number(),
                  payment.amountCents(),
                  purchase.id(),
                  purchase.cart().totalCents()));
    }
    if (payment.state() == PaymentClient.Payment.State.AUTHORISED) {
      return state.isOpen() || !isStillAuthorised(payment)
          ? Comparison.PENDING
          : Comparison.differs(
              "payment %d is authorised, but purchase %s is %s"
                  .formatted(payment.number(), purchase.id(), state));
    }
    return switch (state) {
      case CAPTURED -> Comparison.FINAL;
      case SOLD -> Comparison.PENDING; // the answer to the capture is not recorded yet
      case AUTHORISING, AUTHORISED, DECLINED, VOIDING, VOIDED, RETURNING, RETURNED ->
          Comparison.differs(
              "payment %d is captured, but purchase %s is %s"
                  .formatted(payment.number(), purchase.id(), state));
    };
  }

  /// The final state of a purchase is recorded after the ledger has changed. So a payment that is
  /// read after the purchase must not be authorised any more.
  private boolean isStillAuthorised(PaymentClient.Payment payment) {
    return await(payments.list(payment.number(), 1)).payments().getFirst().state()
        == PaymentClient.Payment.State.AUTHORISED;
  }

  /// Such a payment exists if its purchase was not sold and is deleted, or if the database was
  /// restored from an older backup.
  private Comparison withoutPurchase(PaymentClient.Payment payment) {
    if (payment.state() == PaymentClient.Payment.State.WITHOUT_MONEY) {
      return Comparison.FINAL;
    }
    if (payment.state() == PaymentClient.Payment.State.AUTHORISED && !isStillAuthorised(payment)) {
      return Comparison.PENDING;
    }
    if (!reconciliation.isDone()) {
      throw NotExecutedException.because(
          "payment %d has no purchase yet; the catalog's sales and the ledger are still being compared"
              .formatted(payment.number()));
    }
    return Comparison.differs(
        "payment %d (%s) of %d cents is %s, but has no purchase; see docs/operations.md"
            .formatted(payment.number(), payment.id(), payment.amountCents(), payment.state()));
  }

  private @Nullable Purchase find(String id) {
    return await(reader.read(connection -> PurchaseStore.find(connection, id))).orElse(null);
  }

  /// The number of open purchases in each state.
  private String open() {
    Map<Purchase.State, Long> open = new EnumMap<>(Purchase.State.class);
    await(reader.read(connection -> PurchaseStore.open(connection, PurchaseDriver.MAX_OPEN)))
        .forEach(it -> open.merge(it.state(), 1L, Long::sum));
    return open.entrySet().stream()
        .map(it -> "; %d %s".formatted(it.getValue(), describe(it.getKey())))
        .collect(Collectors.joining());
  }

  private static String describe(Purchase.State state) {
    return state == Purchase.State.SOLD
        ? "sold, capture pending"
        : state.name().toLowerCase(Locale.ROOT);
  }

  private static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }
}
