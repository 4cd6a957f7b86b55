package toystore.payment;

/// The answer to a [PaymentCommand].
sealed interface PaymentResult {
  /// The command was carried out now or earlier.
  ///
  /// @param state of the payment afterwards
  record Accepted(Payment.State state) implements PaymentResult {}

  /// The command changed nothing.
  ///
  /// @param message for the caller; contains no card data
  record Rejected(Rejection reason, String message) implements PaymentResult {}

  /// Why a command was rejected.
  enum Rejection {
    /// The id has another amount.
    KEY_REUSED,
    PAYMENT_NOT_FOUND,
    /// The payment was declined or voided.
    NOT_AUTHORISED,
    ALREADY_CAPTURED,
    /// The row of the payment is damaged.
    DAMAGED
  }
}
