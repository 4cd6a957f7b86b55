package toystore.payment.domain;

import static toystore.common.RootLocale.format;

import java.time.Instant;

/// @param number from 0, in the order in which payments were first seen
/// @param id chosen by the caller
/// @param amountCents 0 if it was voided before it was authorised
/// @param changedAt time of the last transition
public record Payment(long number, String id, long amountCents, State state, Instant changedAt) {
  /// Those of `payment.proto`. AUTHORISED is split in two, because the outcome of a capture depends
  /// on the card, which is not stored.
  public enum State {
    AUTHORISED,
    /// Its capture will be refused.
    AUTHORISED_NOT_CAPTURABLE,
    DECLINED,
    CAPTURED,
    CAPTURE_REFUSED,
    VOIDED
  }

  public Payment {
    if (number < 0 || amountCents < 0 || (amountCents == 0 && state != State.VOIDED)) {
      throw new IllegalArgumentException(
          format(
              "payment must have a number from 0 and an amount from 1 (0 if voided), got number %d with %d cents, %s",
              number, amountCents, state));
    }
  }

  Payment to(State next, Instant time) {
    return new Payment(number, id, amountCents, next, time);
  }
}
