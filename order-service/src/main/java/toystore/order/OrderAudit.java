package toystore.order;

import io.grpc.Context;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import toystore.platform.service.Audit;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.ReadPool;

/// Compares the book on disk with the catalog's sales, order by order, up to the end of the book.
/// Entries never change in either of them, so the next audit continues where this one ended, unless
/// it is a full audit. The answer contains the payment service's own checks, since the frontend
/// does not call that service.
///
/// Any thread may call [#run]. One dedicated thread compares.
@Component
final class OrderAudit implements Audit, AutoCloseable {
  private static final int PAGE_SIZE = 1_000;
  private static final int MAX_WAITING = 10;
  private static final String NAME = "order book";

  private final ReadPool reader;
  private final BookBatchStore book;
  private final SalesClient catalog;
  private final PurchaseAudit purchases;
  private final PaymentClient payments;
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_WAITING),
          Thread.ofPlatform().name("order-audit").factory());
  private final Map<Order.Series, Checkpoint> comparedUpTo = new EnumMap<>(Order.Series.class);
  private @Nullable String difference;

  OrderAudit(
      @Qualifier("auditReader") ReadPool reader,
      BookBatchStore book,
      SalesClient catalog,
      PurchaseAudit purchases,
      PaymentClient payments) {
    this.reader = reader;
    this.book = book;
    this.catalog = catalog;
    this.purchases = purchases;
    this.payments = payments;
  }

  @Override
  public CompletionStage<List<AuditCheckResult>> run(boolean full) {
    return CompletableFuture.completedFuture(full)
        // supplyAsync would throw if the queue is full; an audit that is cancelled ends
        .thenApplyAsync(this::check, Context.current().fixedContextExecutor(executor))
        .exceptionally(failure -> List.of(AuditCheckResult.failed(NAME, failure)));
  }

  @Override
  public void close() {
    executor.close();
  }

  private List<AuditCheckResult> check(boolean full) {
    if (Context.current().isCancelled()) { // a full audit must not forget what is known for nobody
      throw NotExecutedException.because("the caller no longer waits");
    }
    CompletionStage<List<AuditCheckResult>> ledger = payments.audit(full); // runs meanwhile
    return Stream.of(
            List.of(compareBook(full)), purchases.check(full), ledger.toCompletableFuture().join())
        .flatMap(List::stream)
        .toList();
  }

  private AuditCheckResult compareBook(boolean full) {
    try {
      return compare(full);
    } catch (RuntimeException e) {
      return AuditCheckResult.failed(NAME, e);
    }
  }

  private AuditCheckResult compare(boolean full) {
    if (full) {
      comparedUpTo.clear();
      difference = null;
    }
    for (Order.Series series : Order.Series.values()) {
      compare(series);
    }
    return AuditCheckResult.of(
        NAME, difference, "equals the catalog\'s sales up to " + describeProgress());
  }

  private void compare(Order.Series series) {
    Checkpoint end = book.position(series);
    while (difference == null && comparedUpTo(series).next() < end.next()) {
      Checkpoint from = comparedUpTo(series);
      int limit = (int) Math.min(PAGE_SIZE, end.next() - from.next());
      List<Order> bookOrders =
          reader
              .read(connection -> OrderBookStore.page(connection, series, from.next(), limit))
              .toCompletableFuture()
              .join();
      switch (catalog.sales(series, from, limit).toCompletableFuture().join()) {
        case SalesClient.SalesPage.Mismatch mismatch -> difference = mismatch.message();
        case SalesClient.SalesPage.Sales sales -> compare(series, bookOrders, sales.orders());
      }
    }
  }

  /// Compares only the orders that the catalog returned. Its page may be shorter than the requested
  /// limit.
  private void compare(Order.Series series, List<Order> bookOrders, List<Order> catalogOrders) {
    for (int i = 0; i < Math.max(1, catalogOrders.size()); i++) {
      if (i >= bookOrders.size()
          || i >= catalogOrders.size()
          || !bookOrders.get(i).matches(catalogOrders.get(i))) {
        difference =
            String.format(
                Locale.ROOT,
                "order %d%s differs from the catalog's sale",
                comparedUpTo(series).next(),
                series.auditSuffix());
        return;
      }
      comparedUpTo.put(series, Checkpoint.after(bookOrders.get(i)));
    }
  }

  private Checkpoint comparedUpTo(Order.Series series) {
    return comparedUpTo.getOrDefault(series, Checkpoint.START);
  }

  /// The number of compared orders of each series.
  private String describeProgress() {
    return Stream.of(Order.Series.values())
        .filter(it -> it == Order.Series.STORE || comparedUpTo(it).next() > 0)
        .map(it -> comparedUpTo(it).next() + it.auditSuffix())
        .collect(Collectors.joining(" and "));
  }
}
