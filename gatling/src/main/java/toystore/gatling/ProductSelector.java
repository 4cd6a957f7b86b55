package toystore.gatling;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Chooses the product of the next query or buy, evenly over all products. It never allocates more
/// units than were in stock when the run began, because an out-of-stock response would fail the
/// run. Any thread.
final class ProductSelector {
  private final List<RemainingStock> remainingStock;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLong spare;

  /// One product and the units that are left of it.
  private record RemainingStock(String product, AtomicLong left) {
    boolean take() {
      return left.getAndUpdate(quantity -> Math.max(0, quantity - 1)) > 0;
    }
  }

  /// A product and its quantity when the run begins.
  record Stock(String product, long quantity) {}

  /// @param needed units for the measurement; the warm-up may use half of the rest, so that a
  ///   second run finds stock too
  /// @throws IllegalArgumentException if there are fewer units
  ProductSelector(List<Stock> stock, long needed) {
    remainingStock =
        stock.stream()
            .filter(product -> product.quantity() > 0)
            .map(product ->
                new RemainingStock(product.product(), new AtomicLong(product.quantity())))
            .toList();
    long quantity = stock.stream().mapToLong(Stock::quantity).sum();
    if (quantity < needed) {
      throw new IllegalArgumentException(
          "the run needs %,d units, but %,d products have %,d in stock; make fewer buys or use a store with more stock"
              .formatted(needed, remainingStock.size(), quantity));
    }
    spare = new AtomicLong((quantity - needed) / 2);
  }

  /// The product of the next query.
  String nextForQuery() {
    return nextInStock().product();
  }

  /// Whether the warm-up may take one more unit; if so, the unit is counted.
  boolean reserveForWarmUp() {
    return spare.getAndUpdate(quantity -> Math.max(0, quantity - 1)) > 0;
  }

  /// The product of the next buy.
  String nextForBuy() {
    for (int tries = 0; tries < 2 * remainingStock.size(); tries++) {
      RemainingStock stock = nextInStock();
      if (stock.take()) {
        return stock.product();
      }
    }
    throw new IllegalStateException(
        "out of stock: more units were taken than were in stock at the start");
  }

  private RemainingStock nextInStock() {
    return remainingStock.get(Math.floorMod(next.getAndIncrement(), remainingStock.size()));
  }
}
