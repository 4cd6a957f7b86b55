package toystore.catalog;

import org.jspecify.annotations.Nullable;

/// One line of a sale that is asked for.
///
/// @param expectedCents what one unit is expected to cost; null: what it costs
record RequestedLine(ProductRef product, long quantity, @Nullable Long expectedCents) {
  /// Units one line may ask for.
  static final long QUANTITY_LIMIT = Integer.MAX_VALUE;

  /// @throws IllegalArgumentException that says what was wanted and what came
  RequestedLine {
    ProductSpec.check("quantity", quantity, 1, QUANTITY_LIMIT);
    if (expectedCents != null) {
      ProductSpec.checkPrice(expectedCents);
    }
  }

  RequestedLine(String name, long quantity) {
    this(new ProductRef.Named(name), quantity, null);
  }

  /// Quantity and expected price as one of the values that make two requests the same.
  String amount() {
    return expectedCents == null ? Long.toString(quantity) : quantity + "@" + expectedCents;
  }
}
