package toystore.catalog;

import toystore.platform.storage.DamagedException;

/// Sales of one series are numbered from 0 without gap.
///
/// @implNote ids are on disk
enum Series {
  /// The store's orders and trades, of the shop's own products alone.
  STORE(1),
  /// Purchases in the marketplace.
  PURCHASES(2);

  private final int id;

  Series(int id) {
    this.id = id;
  }

  int id() {
    return id;
  }

  /// Whether a product is sold in it at all.
  boolean sells(Product product) {
    return this != STORE || product.owner() == null;
  }

  static Series of(int id) {
    for (Series series : values()) {
      if (series.id == id) {
        return series;
      }
    }
    throw new DamagedException("damaged row: there is no series " + id);
  }
}
