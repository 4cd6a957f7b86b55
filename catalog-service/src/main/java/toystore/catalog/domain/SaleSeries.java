package toystore.catalog.domain;

import java.util.Set;
import toystore.platform.storage.CorruptDataException;

/// A series of sales, numbered from 0 without gaps.
///
/// @implNote the ids are stored on disk
public enum SaleSeries {
  /// Of the shop's own products.
  STORE(1, Set.of(SaleKind.ORDER, SaleKind.BUY, SaleKind.SELL)),
  /// Purchases and returns, of sellers' items.
  PURCHASES(2, Set.of(SaleKind.ORDER, SaleKind.RETURN));

  private final int id;
  private final Set<SaleKind> kinds;

  SaleSeries(int id, Set<SaleKind> kinds) {
    this.id = id;
    this.kinds = Set.copyOf(kinds);
  }

  public int id() {
    return id;
  }

  public Set<SaleKind> kinds() {
    return kinds;
  }

  public static SaleSeries of(int id) {
    for (SaleSeries series : values()) {
      if (series.id == id) {
        return series;
      }
    }
    throw new CorruptDataException("damaged row: unknown series " + id);
  }
}
