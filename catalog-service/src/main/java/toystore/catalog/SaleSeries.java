package toystore.catalog;

import toystore.platform.storage.CorruptDataException;

/// A series of sales, numbered from 0 without gaps.
///
/// @implNote the ids are stored on disk
enum SaleSeries {
  /// Orders and trades of the store, only of the shop's own products.
  STORE(1),
  /// Purchases in the marketplace.
  PURCHASES(2);

  private final int id;

  SaleSeries(int id) {
    this.id = id;
  }

  int id() {
    return id;
  }

  /// Whether a product may be sold in this series.
  boolean sells(Product product) {
    return this != STORE || product.owner() == null;
  }

  static SaleSeries of(int id) {
    for (SaleSeries series : values()) {
      if (series.id == id) {
        return series;
      }
    }
    throw new CorruptDataException("damaged row: unknown series " + id);
  }
}
