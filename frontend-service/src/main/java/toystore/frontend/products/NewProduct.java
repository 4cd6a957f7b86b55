package toystore.frontend.products;

import toystore.frontend.http.JsonBody;
import toystore.frontend.http.ProductNameValidator;

/// A request of the administrator to add a product.
///
/// @param category empty if the product has none
record NewProduct(String name, long priceCents, int quantity, String category) {
  private static final int MAX_CATEGORY = 50;

  static NewProduct of(JsonBody body) {
    body.allowOnly("name", "price", "quantity", "category");
    String name = body.text("name");
    if (!ProductNameValidator.isValid(name)) {
      throw body.invalid("name", ProductNameValidator.RULE);
    }
    return new NewProduct(
        name,
        body.priceCents("price"),
        body.count("quantity"),
        body.optionalText("category", MAX_CATEGORY).orElse(""));
  }
}
