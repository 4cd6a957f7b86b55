package toystore.bazaarlab;

import java.util.List;

/// What threads share: how many pieces there are of each product, 0 at first. Any thread.
interface StockMap extends AutoCloseable {
  int PRODUCTS = 100;

  /// Pieces of a product, by its number.
  int quantity(int product);

  /// Adds a piece, for others to see and on disk, where there is one, when this returns.
  void add(int product);

  /// Where changes are made durable.
  @FunctionalInterface
  interface Disk {
    /// One that forgets.
    Disk NONE = _ -> {};

    /// Adds a piece for each mention of a product, in one transaction.
    void commit(List<Integer> products);
  }

  /// Ends its threads, where it has some.
  @Override
  default void close() {}
}
