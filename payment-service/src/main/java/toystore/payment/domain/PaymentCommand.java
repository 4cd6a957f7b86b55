package toystore.payment.domain;

import static toystore.common.RootLocale.format;
import static toystore.payment.domain.Payment.State.AUTHORISED;
import static toystore.payment.domain.Payment.State.AUTHORISED_NOT_CAPTURABLE;
import static toystore.payment.domain.Payment.State.CAPTURED;
import static toystore.payment.domain.Payment.State.CAPTURE_REFUSED;
import static toystore.payment.domain.Payment.State.DECLINED;
import static toystore.payment.domain.Payment.State.VOIDED;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.payment.domain.Payment.State;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.CommandContext;
import toystore.platform.journal.KeyedCommand;
import toystore.platform.text.Limits;

/// A repeat changes nothing and gets the first answer, or the state reached since then. So it needs
/// no idempotency key: the payment's id is one.
public sealed interface PaymentCommand extends KeyedCommand<PaymentUnitOfWork, State> {
  String paymentId();

  @Override
  default Answer<State> decide(PaymentUnitOfWork unit, CommandContext context) {
    Payment known = unit.find(paymentId());
    Answer<State> answer = decide(known);
    if (answer instanceof Done(State state, _)) {
      if (known == null) {
        unit.add(paymentId(), newAmountCents(), state, context.now());
      } else if (known.state() != state) {
        unit.put(known.to(state, context.now()));
      }
    }
    return answer;
  }

  /// The state of the payment afterwards, or a refusal.
  ///
  /// @param known null if there is no payment with this id
  Answer<State> decide(@Nullable Payment known);

  /// Of a payment that is new.
  default long newAmountCents() {
    return 0;
  }

  /// @param newState what the card allows; the card goes no further than `PaymentRpc`
  record Authorise(String paymentId, long amountCents, State newState) implements PaymentCommand {
    private static final Set<State> NEW_STATES =
        Set.of(AUTHORISED, AUTHORISED_NOT_CAPTURABLE, DECLINED);

    public Authorise {
      Limits.checkAtLeast("amount_cents", amountCents, 1);
      if (!NEW_STATES.contains(newState)) {
        throw new IllegalStateException("invalid state of a new payment: " + newState);
      }
    }

    @Override
    public long newAmountCents() {
      return amountCents;
    }

    @Override
    public Answer<State> decide(@Nullable Payment known) {
      if (known == null) {
        return new Done<>(newState);
      }
      boolean voidedBefore = known.amountCents() == 0;
      return voidedBefore || known.amountCents() == amountCents
          ? new Done<>(known.state())
          : new Refusal<>(
              ErrorReason.KEY_REUSED,
              format(
                  "payment_id was already used with a different amount: %d cents, got %d",
                  known.amountCents(), amountCents));
    }
  }

  record Capture(String paymentId) implements PaymentCommand {
    @Override
    public Answer<State> decide(@Nullable Payment known) {
      if (known == null) {
        return new Refusal<>(ErrorReason.PAYMENT_NOT_FOUND, "payment not found");
      }
      return switch (known.state()) {
        case AUTHORISED, CAPTURED -> new Done<>(CAPTURED);
        case AUTHORISED_NOT_CAPTURABLE, CAPTURE_REFUSED -> new Done<>(CAPTURE_REFUSED);
        case DECLINED -> new Refusal<>(ErrorReason.NOT_AUTHORISED, "payment was declined");
        case VOIDED -> new Refusal<>(ErrorReason.NOT_AUTHORISED, "payment was voided");
      };
    }
  }

  /// The void of an unknown payment is recorded, so that an authorisation that arrives later has no
  /// effect.
  record Void(String paymentId) implements PaymentCommand {
    @Override
    public Answer<State> decide(@Nullable Payment known) {
      if (known == null) {
        return new Done<>(VOIDED);
      }
      return switch (known.state()) {
        case AUTHORISED, AUTHORISED_NOT_CAPTURABLE, VOIDED -> new Done<>(VOIDED);
        case DECLINED, CAPTURE_REFUSED -> new Done<>(known.state()); // nothing is reserved
        case CAPTURED ->
            new Refusal<>(ErrorReason.ALREADY_CAPTURED, "payment was already captured");
      };
    }
  }
}
