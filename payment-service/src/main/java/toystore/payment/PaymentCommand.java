package toystore.payment;

import static toystore.payment.Payment.State.AUTHORISED;
import static toystore.payment.Payment.State.AUTHORISED_NOT_CAPTURABLE;
import static toystore.payment.Payment.State.CAPTURED;
import static toystore.payment.Payment.State.CAPTURE_REFUSED;
import static toystore.payment.Payment.State.DECLINED;
import static toystore.payment.Payment.State.VOIDED;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.payment.PaymentResult.Accepted;
import toystore.payment.PaymentResult.Rejected;
import toystore.payment.PaymentResult.Rejection;

/// A command to the ledger. A repeat changes nothing and gets the first answer, or the state that
/// the payment reached since then.
sealed interface PaymentCommand {
  String paymentId();

  /// Decides the command: the state of the payment afterwards, or a rejection.
  ///
  /// @param known the payment with this id, or null
  PaymentResult decide(@Nullable Payment known);

  /// Reserves an amount.
  ///
  /// @param newState the state of a new payment: what the card allows. The card itself goes no
  ///   further than `PaymentRpc`
  record Authorise(String paymentId, long amountCents, Payment.State newState)
      implements PaymentCommand {
    private static final Set<Payment.State> NEW_STATES =
        Set.of(AUTHORISED, AUTHORISED_NOT_CAPTURABLE, DECLINED);

    public Authorise {
      if (amountCents < 1) {
        throw new IllegalArgumentException("amount_cents must be at least 1, got " + amountCents);
      }
      if (!NEW_STATES.contains(newState)) {
        throw new IllegalStateException("invalid state of a new payment: " + newState);
      }
    }

    @Override
    public PaymentResult decide(@Nullable Payment known) {
      if (known == null) {
        return new Accepted(newState);
      }
      boolean voidedBefore = known.amountCents() == 0;
      return voidedBefore || known.amountCents() == amountCents
          ? new Accepted(known.state())
          : new Rejected(
              Rejection.KEY_REUSED,
              String.format(
                  Locale.ROOT,
                  "payment_id was already used with a different amount: %d cents, got %d",
                  known.amountCents(),
                  amountCents));
    }
  }

  /// Takes the reserved amount.
  record Capture(String paymentId) implements PaymentCommand {
    @Override
    public PaymentResult decide(@Nullable Payment known) {
      if (known == null) {
        return new Rejected(Rejection.PAYMENT_NOT_FOUND, "payment not found");
      }
      return switch (known.state()) {
        case AUTHORISED, CAPTURED -> new Accepted(CAPTURED);
        case AUTHORISED_NOT_CAPTURABLE, CAPTURE_REFUSED -> new Accepted(CAPTURE_REFUSED);
        case DECLINED -> new Rejected(Rejection.NOT_AUTHORISED, "payment was declined");
        case VOIDED -> new Rejected(Rejection.NOT_AUTHORISED, "payment was voided");
      };
    }
  }

  /// Releases the reserved amount. The void of an unknown payment is recorded, so that an
  /// authorisation that arrives later has no effect.
  record Void(String paymentId) implements PaymentCommand {
    @Override
    public PaymentResult decide(@Nullable Payment known) {
      if (known == null) {
        return new Accepted(VOIDED);
      }
      return switch (known.state()) {
        case AUTHORISED, AUTHORISED_NOT_CAPTURABLE, VOIDED -> new Accepted(VOIDED);
        case DECLINED, CAPTURE_REFUSED -> new Accepted(known.state()); // nothing is reserved
        case CAPTURED -> new Rejected(Rejection.ALREADY_CAPTURED, "payment was already captured");
      };
    }
  }
}
