package toystore.catalog.domain;

import java.util.Locale;
import toystore.platform.text.Limits;

/// A reference to a product in a request. It refers to a seller's item only in series PURCHASES;
/// everywhere else it refers to one of the shop's own products.
public sealed interface ProductRef {
  /// One of the shop's own products, by name.
  record Named(String name) implements ProductRef {
    @Override
    public String value() {
      return name;
    }
  }

  /// A product, by id.
  record WithId(long id) implements ProductRef {
    /// @throws IllegalArgumentException with what was expected and what was received
    public WithId {
      Limits.check("product_id", id, 1, Long.MAX_VALUE);
    }

    @Override
    public String value() {
      return "/" + id; // product names contain no slash
    }
  }

  /// The text of this reference in the values of a request.
  String value();

  /// Converts the fields of a message, of which one is empty.
  ///
  /// @throws IllegalArgumentException with what was expected and what was received
  static ProductRef of(String name, long id) {
    if (id != 0 && !name.isEmpty()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "either name or product_id must be set, not both; got \"%s\" and %d",
              name,
              id));
    }
    return id == 0 ? new Named(name) : new WithId(id);
  }
}
