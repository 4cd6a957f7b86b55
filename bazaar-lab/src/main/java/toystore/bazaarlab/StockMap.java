package toystore.bazaarlab;

import java.util.List;

/// A map shared by threads: the quantity of each product, 0 at first. Any thread.
interface StockMap extends AutoCloseable {
  int PRODUCTS = 100;

  /// The quantity of a product, by its number.
  int quantity(int product);

  /// Adds 1 to a product. On return the change is visible to other threads and, if there is a disk,
  /// committed.
  void add(int product);

  /// Makes changes durable.
  @FunctionalInterface
  interface Disk {
    /// Stores nothing.
    Disk NONE = _ -> {};

    /// Adds 1 for each occurrence of a product, in one transaction.
    void commit(List<Integer> products);
  }

  /// Stops its threads, if it has any.
  @Override
  default void close() {}
}
