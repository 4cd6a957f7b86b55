package toystore.catalog;

import toystore.platform.storage.CorruptDataException;

/// Sales of one series are numbered from 0 without gap.
///
/// @implNote ids are on disk
enum SaleSeries {
  /// The store's orders and trades, of the shop's own products alone.
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

  /// Whether a product is sold in it at all.
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
