package toystore.catalog;

/// One line of a sale that is asked for.
record Line(String name, long quantity) {
  /// Units one line may ask for.
  static final long QUANTITY_LIMIT = Integer.MAX_VALUE;

  /// @throws IllegalArgumentException that says what was wanted and what came
  Line {
    ProductSpec.check("quantity", quantity, 1, QUANTITY_LIMIT);
  }
}
