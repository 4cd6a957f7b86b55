package toystore.payment.domain;

/// Why a command to the ledger is refused.
public enum PaymentRefusal {
  /// The id has another amount.
  KEY_REUSED,
  PAYMENT_NOT_FOUND,
  /// The payment was declined or voided.
  NOT_AUTHORISED,
  ALREADY_CAPTURED
}
