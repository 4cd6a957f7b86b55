package toystore.catalog.domain;

import toystore.platform.text.Limits;

/// A product in a request. It may be a seller's item only in series PURCHASES.
public sealed interface ProductRef {
  record Named(String name) implements ProductRef {
    @Override
    public String value() {
      return name;
    }
  }

  record WithId(long id) implements ProductRef {
    public WithId {
      Limits.check("product_id", id, 1, Long.MAX_VALUE);
    }

    @Override
    public String value() {
      return "/" + id; // product names contain no slash
    }
  }

  /// Its text in the values of a request.
  String value();

  /// One of the fields is empty.
  ///
  /// @throws IllegalArgumentException with what was expected and what was received
  static ProductRef of(String name, long id) {
    if (id != 0 && !name.isEmpty()) {
      throw Limits.invalid(
          "either name or product_id must be set, not both; got \"%s\" and %d", name, id);
    }
    return id == 0 ? new Named(name) : new WithId(id);
  }
}
