package toystore.catalog;

/// What a request calls a product by.
sealed interface ProductRef {
  /// One of the shop's own, by its name.
  record Named(String name) implements ProductRef {
    @Override
    public String value() {
      return name;
    }
  }

  /// Any, by its id.
  record WithId(long id) implements ProductRef {
    /// @throws IllegalArgumentException that says what was wanted and what came
    public WithId {
      ProductSpec.check("product_id", id, 1, Long.MAX_VALUE);
    }

    @Override
    public String value() {
      return "/" + id; // no product's name has a slash
    }
  }

  /// What tells it from others in the values of a request.
  String value();

  /// As it is given on the wire, where one of the two is empty.
  ///
  /// @throws IllegalArgumentException that says what was wanted and what came
  static ProductRef of(String name, long id) {
    if (id != 0 && !name.isEmpty()) {
      throw new IllegalArgumentException(
          "either name or product_id must be set, not both; got \"%s\" and %d".formatted(name, id));
    }
    return id == 0 ? new Named(name) : new WithId(id);
  }
}
