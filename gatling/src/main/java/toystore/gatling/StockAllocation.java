package toystore.gatling;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Says which toy a client asks for or buys next, spread evenly over all of them, and never hands
/// out more pieces than there were when the run began: a run must not fail for an empty shelf. Any
/// thread may call.
final class StockAllocation {
  private final List<Shelf> shelves;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLong spare;

  /// One product and the pieces left of it.
  private record Shelf(String toy, AtomicLong left) {
    boolean take() {
      return left.getAndUpdate(pieces -> Math.max(0, pieces - 1)) > 0;
    }
  }

  /// A product with the pieces in stock when the run begins.
  record Stock(String toy, long pieces) {}

  /// @param needed pieces that will be taken to measure; of the rest a warm-up may have half, so
  ///   that a second run finds something too
  /// @throws IllegalArgumentException when there are fewer
  StockAllocation(List<Stock> stock, long needed) {
    shelves =
        stock.stream()
            .filter(product -> product.pieces() > 0)
            .map(product -> new Shelf(product.toy(), new AtomicLong(product.pieces())))
            .toList();
    long pieces = stock.stream().mapToLong(Stock::pieces).sum();
    if (pieces < needed) {
      throw new IllegalArgumentException(
          "the run buys %,d pieces, but %,d products hold %,d: fewer buys, or a store with more stock"
              .formatted(needed, shelves.size(), pieces));
    }
    spare = new AtomicLong((pieces - needed) / 2);
  }

  /// A toy to ask for.
  String look() {
    return shelf().toy();
  }

  /// Whether a warm-up may take one more piece; if so, that piece is counted.
  boolean spare() {
    return spare.getAndUpdate(pieces -> Math.max(0, pieces - 1)) > 0;
  }

  /// A toy to buy one piece of.
  String take() {
    for (int tries = 0; tries < 2 * shelves.size(); tries++) {
      Shelf shelf = shelf();
      if (shelf.take()) {
        return shelf.toy();
      }
    }
    throw new IllegalStateException("more pieces taken than counted at the start");
  }

  private Shelf shelf() {
    return shelves.get(Math.floorMod(next.getAndIncrement(), shelves.size()));
  }
}
