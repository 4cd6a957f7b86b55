package toystore.gatling;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Says which toy a client asks for or buys next, spread evenly over all of them, and never hands
/// out more pieces than there were when the run began: a run must not fail for an empty shelf. Any
/// thread may call.
final class StockAllocation {
  private final List<RemainingStock> remainingStock;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLong spare;

  /// One product and the pieces left of it.
  private record RemainingStock(String product, AtomicLong left) {
    boolean take() {
      return left.getAndUpdate(quantity -> Math.max(0, quantity - 1)) > 0;
    }
  }

  /// A product with the pieces in stock when the run begins.
  record Stock(String product, long quantity) {}

  /// @param needed pieces that will be taken to measure; of the rest a warm-up may have half, so
  ///   that a second run finds something too
  /// @throws IllegalArgumentException when there are fewer
  StockAllocation(List<Stock> stock, long needed) {
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

  /// A toy to ask for.
  String nextForQuery() {
    return nextInStock().product();
  }

  /// Whether a warm-up may take one more piece; if so, that piece is counted.
  boolean reserveForWarmUp() {
    return spare.getAndUpdate(quantity -> Math.max(0, quantity - 1)) > 0;
  }

  /// A toy to buy one piece of.
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
