package toystore.order;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import toystore.platform.storage.CorruptDataException;

/// An order: the part of a sale that customers see.
///
/// @param number number of the sale in its series
/// @param key idempotency key of the request; never shown to clients
/// @param asList whether the request contained a list of lines
record Order(
    Series series,
    long number,
    String key,
    Kind kind,
    boolean asList,
    List<Line> lines,
    Instant placedAt) {
  /// A sequence of numbers without gaps, starting at 0.
  ///
  /// @implNote The ids are stored on disk.
  enum Series {
    /// Orders and trades of the store.
    STORE(1),
    /// Purchases of the marketplace.
    PURCHASES(2);

    private final int id;

    Series(int id) {
      this.id = id;
    }

    int id() {
      return id;
    }

    static Series of(int id) {
      for (Series series : values()) {
        if (series.id == id) {
          return series;
        }
      }
      throw new CorruptDataException(
          String.format(Locale.ROOT, "damaged row: unknown series %d, expected 1 or 2", id));
    }

    /// Text after an order number in audit details; empty for `STORE`.
    String auditSuffix() {
      return this == STORE ? "" : " of the series " + this;
    }
  }

  enum Kind {
    ORDER,
    BUY,
    SELL,
    /// The return of a purchase.
    RETURN
  }

  /// @param productId 0 if unknown, because the row is older than the migration V3
  /// @param priceCents unit price at the time of the order
  record Line(long productId, String name, long quantity, long priceCents) {
    boolean matches(Line sale) {
      return equals(productId == 0 ? new Line(0, sale.name, sale.quantity, sale.priceCents) : sale);
    }
  }

  /// Whether this order equals a sale of the catalog. Unknown product ids are ignored.
  boolean matches(Order sale) {
    if (lines.size() != sale.lines.size()) {
      return false;
    }
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).matches(sale.lines.get(i))) {
        return false;
      }
    }
    return equals(
        new Order(
            sale.series, sale.number, sale.key, sale.kind, sale.asList, lines, sale.placedAt));
  }
}
