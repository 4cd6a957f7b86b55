package toystore.frontend.orders;

import org.jspecify.annotations.Nullable;

/// The JSON view of a placed order: its number in the sequence that orders and trades share.
///
/// @param transactionNumber the number, if it is a trade
record PlacedOrder(@Nullable Long orderNumber, @Nullable Long transactionNumber) {
  static PlacedOrder of(long number, boolean isTrade) {
    return isTrade ? new PlacedOrder(null, number) : new PlacedOrder(number, null);
  }
}
