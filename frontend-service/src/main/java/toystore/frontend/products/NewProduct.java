package toystore.frontend.products;

import toystore.frontend.http.ApiException;
import toystore.frontend.http.JsonBody;
import toystore.platform.text.IdentifierText;

/// A request of the administrator to add a product.
///
/// @param name in NFC
/// @param category in NFC; empty if the product has none
record NewProduct(String name, long priceCents, int quantity, String category) {
  private static final int MAX_CATEGORY = 50;

  NewProduct {
    try {
      name = IdentifierText.productName(name);
      category = IdentifierText.of("category", category, 0, MAX_CATEGORY);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  static NewProduct of(JsonBody body) {
    body.allowOnly("name", "price", "quantity", "category");
    return new NewProduct(
        body.text("name"),
        body.priceCents("price"),
        body.count("quantity"),
        body.optionalText("category", MAX_CATEGORY).orElse(""));
  }
}
