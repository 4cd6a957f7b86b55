package toystore.order;

/// The result of an [OrderCommand].
sealed interface OrderResult
    permits Checkpoint,
        OrderRefusal,
        OrderResult.CartChanged,
        OrderResult.Recorded,
        OrderResult.SessionsEnded,
        OrderResult.Sold,
        OrderResult.Undecided {
  record CartChanged(CartContents cart, boolean replayed) implements OrderResult {}

  record SessionsEnded() implements OrderResult {}

  /// The purchase as it is recorded now.
  record Recorded(Purchase purchase) implements OrderResult {}

  /// A purchase with the same key is in progress.
  record Undecided(String purchaseId) implements OrderResult {}

  /// @param number of the sale in series PURCHASES
  record Sold(long units, long number, boolean replayed) implements OrderResult {}
}
