package toystore.order;

/// The result of an [OrderCommand].
sealed interface OrderResult
    permits OrderRefused,
        OrderResult.CartChanged,
        OrderResult.Done,
        OrderResult.Recorded,
        OrderResult.Sold,
        OrderResult.Undecided {
  record CartChanged(CartContents cart, boolean replayed) implements OrderResult {}

  record Done() implements OrderResult {}

  /// The purchase as it is recorded now.
  record Recorded(Purchase purchase) implements OrderResult {}

  /// A purchase with the same key is in progress.
  record Undecided(String purchaseId) implements OrderResult {}

  /// @param number of the sale in series PURCHASES
  record Sold(long units, long number, boolean replayed) implements OrderResult {}
}
