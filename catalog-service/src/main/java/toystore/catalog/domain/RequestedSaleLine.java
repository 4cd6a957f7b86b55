package toystore.catalog.domain;

import org.jspecify.annotations.Nullable;
import toystore.platform.text.Limits;

/// @param expectedCents of one unit; null: the current price
public record RequestedSaleLine(ProductRef product, long quantity, @Nullable Long expectedCents) {
  static final long QUANTITY_LIMIT = Integer.MAX_VALUE;

  public RequestedSaleLine {
    Limits.check("quantity", quantity, 1, QUANTITY_LIMIT);
    if (expectedCents != null) {
      ProductSpec.checkPrice(expectedCents);
    }
  }

  public RequestedSaleLine(String name, long quantity) {
    this(new ProductRef.Named(name), quantity, null);
  }

  /// One of the request's values.
  String amount() {
    return expectedCents == null ? Long.toString(quantity) : quantity + "@" + expectedCents;
  }
}
