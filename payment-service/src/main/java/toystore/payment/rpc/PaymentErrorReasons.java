package toystore.payment.rpc;

import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.NOT_FOUND;

import toystore.payment.domain.PaymentRefusal;
import toystore.platform.rpc.ErrorReason;

/// The payment service's own error reasons. `payment.proto` lists the reasons of each call.
public final class PaymentErrorReasons {
  /// No payment has this id.
  public static final ErrorReason PAYMENT_NOT_FOUND =
      ErrorReason.decided("PAYMENT_NOT_FOUND", NOT_FOUND, 404);

  /// The payment was declined or voided.
  public static final ErrorReason NOT_AUTHORISED =
      ErrorReason.decided("NOT_AUTHORISED", FAILED_PRECONDITION, 409);

  /// The payment was captured and can no longer be voided.
  public static final ErrorReason ALREADY_CAPTURED =
      ErrorReason.decided("ALREADY_CAPTURED", FAILED_PRECONDITION, 409);

  private PaymentErrorReasons() {}

  static ErrorReason of(PaymentRefusal refusal) {
    return switch (refusal) {
      case KEY_REUSED -> ErrorReason.KEY_REUSED;
      case PAYMENT_NOT_FOUND -> PAYMENT_NOT_FOUND;
      case NOT_AUTHORISED -> NOT_AUTHORISED;
      case ALREADY_CAPTURED -> ALREADY_CAPTURED;
    };
  }
}
