package toystore.order;

import java.time.Instant;
import java.util.List;
import toystore.platform.storage.CorruptDataException;

/// What the customer sees of a sale.
///
/// @param number the sale's number in its series
/// @param key of the request that was sold by it; nobody is shown it
/// @param asList whether it was ordered as a list of lines
record Order(
    Series series,
    long number,
    String key,
    Kind kind,
    boolean asList,
    List<Line> lines,
    Instant placedAt) {
  /// Whose numbers are consecutive from 0.
  ///
  /// @implNote ids are on disk
  enum Series {
    /// The store's orders and trades.
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

    static Series of(int id) {
      for (Series series : values()) {
        if (series.id == id) {
          return series;
        }
      }
      throw new CorruptDataException(
          "damaged row: unknown series %d, expected 1 or 2".formatted(id));
    }

    /// Behind the number of an entry that is no order of the store's.
    String auditSuffix() {
      return this == STORE ? "" : " of the series " + this;
    }
  }

  enum Kind {
    ORDER,
    BUY,
    SELL
  }

  /// @param productId 0: not known, for it was entered before the book had the ids of products
  /// @param priceCents as it was when the order was placed
  record Line(long productId, String name, long quantity, long priceCents) {
    boolean matches(Line sale) {
      return equals(productId == 0 ? new Line(0, sale.name, sale.quantity, sale.priceCents) : sale);
    }
  }

  /// Whether it is what was sold, as far as it is known.
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
