package toystore.order;

import java.time.Instant;
import java.util.List;

/// What the customer sees of a sale.
///
/// @param number the sale's number in the store's series
/// @param key of the request that was sold by it; nobody is shown it
/// @param asList whether it was ordered as a list of lines
record Order(
    long number, String key, Kind kind, boolean asList, List<Line> lines, Instant placedAt) {
  enum Kind {
    ORDER,
    BUY,
    SELL
  }

  /// @param priceCents as it was when the order was placed
  record Line(String name, long quantity, long priceCents) {}
}
