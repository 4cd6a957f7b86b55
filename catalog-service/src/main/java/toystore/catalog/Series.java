package toystore.catalog;

/// Sales of one series are numbered from 0 without gap.
///
/// @implNote ids are on disk
enum Series {
  /// The store's orders and trades.
  STORE(1);

  private final int id;

  Series(int id) {
    this.id = id;
  }

  int id() {
    return id;
  }
}
