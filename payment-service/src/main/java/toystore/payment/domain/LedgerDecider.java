package toystore.payment.domain;

import toystore.payment.domain.Payment.State;
import toystore.platform.idempotency.Answer;

/// Decides the commands of a batch.
@FunctionalInterface
public interface LedgerDecider {
  Answer<State> decide(PaymentCommand command);
}
