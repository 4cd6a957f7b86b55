package toystore.payment;

import toystore.payment.Payment.State;
import toystore.platform.idempotency.Answer;

/// Decides the commands of a batch.
@FunctionalInterface
interface LedgerDecider {
  Answer<State, PaymentRefusal> decide(PaymentCommand command);
}
