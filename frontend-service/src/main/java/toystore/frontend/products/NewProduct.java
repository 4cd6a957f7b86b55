package toystore.frontend.products;

import toystore.frontend.http.JsonBody;
import toystore.frontend.http.ProductName;

/// A product the administrator puts on sale.
///
/// @param category empty where it has none
record NewProduct(String name, long priceCents, int quantity, String category) {
  private static final int MAX_CATEGORY = 50;

  static NewProduct of(JsonBody fields) {
    String name = fields.text("name");
    if (!ProductName.isPossible(name)) {
      throw fields.wanted("name", ProductName.RULE);
    }
    return new NewProduct(
        name,
        fields.priceCents("price"),
        fields.count("quantity"),
        fields.optionalText("category", MAX_CATEGORY).orElse(""));
  }
}
