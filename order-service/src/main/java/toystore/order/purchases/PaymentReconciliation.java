package toystore.order.purchases;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import toystore.order.storage.OrderBatchStore;
import toystore.order.storage.PurchaseStore;
import toystore.platform.storage.ReadPool;

/// Voids authorised payments without a purchase. They exist after the order service's database was
/// restored from a backup that is older than the ledger, if the purchase was not sold.
///
/// Runs once per start, in steps, after the purchases were compared with the catalog: each sale has
/// its purchase then. It reads the ledger backwards, up to a page in which each payment has a
/// purchase, or had one that was deleted because it was not sold. A purchase is committed before
/// its payment is authorised, so a new purchase is never missing.
@Component
final class PaymentReconciliation {
  private static final Logger log = LoggerFactory.getLogger(PaymentReconciliation.class);
  private static final int PAGE_SIZE = 1_000;

  private final PaymentClient payments;
  private final ReadPool reader;
  private final InstantSource clock;
  private long to = -1; // of the next page; -1: the end of the ledger
  private boolean failing;
  private volatile boolean done;

  PaymentReconciliation(PaymentClient payments, ReadPool readPool, InstantSource clock) {
    this.payments = payments;
    this.reader = readPool;
    this.clock = clock;
    this.done = !payments.isConfigured();
  }

  /// Whether it has ended. Any thread.
  boolean isDone() {
    return done;
  }

  /// Compares a page of the ledger. One thread.
  ///
  /// @return whether to go on at once; false if it has ended, or failed and must be tried again
  boolean step() {
    try {
      if (!done) {
        long end = to < 0 ? await(payments.list(0, 1)).next() : to;
        long from = Math.max(0, end - PAGE_SIZE);
        boolean allKnown = reconcile(from, end);
        to = from;
        done = allKnown || from == 0;
      }
      return !done;
    } catch (RuntimeException e) {
      if (!failing) {
        log.warn(
            "cannot compare the last payments with the purchases, trying again: {}",
            e.getMessage());
      }
      failing = true;
      return false;
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
    return payment.state() == PaymentClient.Payment.State.WITHOUT_MONEY
        && payment.changedAt().isBefore(clock.instant().minus(OrderBatchStore.UNSOLD_RETENTION));
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
