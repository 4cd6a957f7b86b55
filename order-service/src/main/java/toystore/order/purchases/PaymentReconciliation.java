package toystore.order.purchases;

import static toystore.platform.rpc.UnaryFutures.await;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import toystore.order.storage.PurchaseStore;
import toystore.platform.storage.ReadPool;

/// Voids authorised payments without a purchase, which exist after a restore of a backup that is
/// older than the ledger. Reads the ledger once per start, after the purchases were compared with
/// the catalog. A purchase is committed before its payment is authorised, so a new one is never
/// missing.
@Component
final class PaymentReconciliation {
  private static final Logger log = LoggerFactory.getLogger(PaymentReconciliation.class);
  private static final int PAGE_SIZE = 1_000;

  private final PaymentClient payments;
  private final ReadPool reader;
  private long next;
  private boolean failing;
  private volatile boolean done;

  PaymentReconciliation(PaymentClient payments, ReadPool readPool) {
    this.payments = payments;
    this.reader = readPool;
    this.done = !payments.isConfigured();
  }

  /// Any thread.
  boolean isDone() {
    return done;
  }

  /// Compares a page. One thread.
  ///
  /// @return whether to go on at once; false if it has ended, or failed and must be tried again
  boolean step() {
    try {
      if (!done) {
        PaymentClient.LedgerPage page = await(payments.list(next, PAGE_SIZE));
        page.payments().forEach(this::voidWithoutPurchase);
        next += page.payments().size();
        done = page.payments().isEmpty() || next >= page.next();
      }
      return !done;
    } catch (RuntimeException e) {
      if (!failing) {
        log.warn(
            "cannot compare the payments with the purchases, trying again: {}", e.getMessage());
      }
      failing = true;
      return false;
    }
  }

  private void voidWithoutPurchase(PaymentClient.Payment payment) {
    if (payment.state() == PaymentClient.Payment.State.AUTHORISED
        && await(reader.read(connection -> PurchaseStore.find(connection, payment.id())))
            .isEmpty()) {
      await(payments.release(payment.id()));
      log.warn(
          "payment {} ({}) of {} cents had no purchase and was voided",
          payment.number(),
          payment.id(),
          payment.amountCents());
    }
  }
}
