package toystore.order.domain;

/// What a request to buy has begun.
public sealed interface BegunPurchase {
  /// It is not decided yet whether it is sold.
  ///
  /// @param earlier whether an earlier command with the same key began it
  record Undecided(Purchase purchase, boolean earlier) implements BegunPurchase {}

  /// The purchase of the key was sold before.
  ///
  /// @param number in series PURCHASES
  record Sold(long units, long number) implements BegunPurchase {}
}
