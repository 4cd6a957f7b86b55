package toystore.order;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.platform.storage.ReadPool;

/// Voids authorised payments without a purchase. They exist after the order service's database was
/// restored from a backup that is older than the ledger, if the purchase was not sold.
///
/// Runs once per start, after the purchases were compared with the catalog: each sale has its
/// purchase then. It reads the ledger backwards, up to a page in which each payment has a purchase,
/// or had one that was deleted because it was not sold. A purchase is committed before its payment
/// is authorised, so a new purchase is never missing.
final class PaymentReconciliation implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PaymentReconciliation.class);
  private static final int PAGE_SIZE = 1_000;
  private static final long RETRY_SECONDS = 5;

  private final PaymentClient payments;
  private final ReadPool reader;
  private final InstantSource clock;
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("payment-reconciliation").factory());
  private volatile boolean done;

  PaymentReconciliation(
      PaymentClient payments,
      ReadPool reader,
      InstantSource clock,
      CompletionStage<Void> compared) {
    this.payments = payments;
    this.reader = reader;
    this.clock = clock;
    if (payments.isConfigured()) {
      compared.thenRunAsync(() -> tryReconcile(true), scheduler);
    }
  }

  /// Whether it has ended.
  boolean isDone() {
    return done;
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  private void tryReconcile(boolean isFirst) {
    try {
      reconcile();
      done = true;
      scheduler.shutdown();
    } catch (RuntimeException e) {
      if (isFirst) {
        log.warn(
            "cannot compare the last payments with the purchases, retrying every {} s: {}",
            RETRY_SECONDS,
            e.getMessage());
      }
      scheduler.schedule(() -> tryReconcile(false), RETRY_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void reconcile() {
    long to = await(payments.list(0, 1)).next();
    boolean allKnown = false;
    while (to > 0 && !allKnown) {
      long from = Math.max(0, to - PAGE_SIZE);
      allKnown = reconcile(from, to);
      to = from;
    }
  }

  /// @return whether each of these payments has or had a purchase
  private boolean reconcile(long from, long to) {
    boolean allKnown = true;
    long next = from;
    while (next < to) {
      List<PaymentClient.Payment> page = await(payments.list(next, (int) (to - next))).payments();
      for (PaymentClient.Payment payment : page) {
        if (!hasPurchase(payment)) {
          allKnown &= isDeleted(payment);
          release(payment);
        }
      }
      next = page.isEmpty() ? to : page.getLast().number() + 1;
    }
    return allKnown;
  }

  private boolean hasPurchase(PaymentClient.Payment payment) {
    return await(reader.read(connection -> PurchaseStore.find(connection, payment.id())))
        .isPresent();
  }

  private boolean isDeleted(PaymentClient.Payment payment) {
    Instant deleted = clock.instant().minus(OrderBatchStore.UNSOLD_RETENTION);
    return payment.state() == PaymentClient.Payment.State.WITHOUT_MONEY
        && payment.changedAt().isBefore(deleted);
  }

  private void release(PaymentClient.Payment payment) {
    if (payment.state() == PaymentClient.Payment.State.AUTHORISED) {
      await(payments.release(payment.id()));
      log.warn(
          "payment {} ({}) of {} cents had no purchase and was voided",
          payment.number(),
          payment.id(),
          payment.amountCents());
    }
  }

  private static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }
}
