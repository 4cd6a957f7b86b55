package toystore.frontend.products;

import toystore.frontend.http.JsonResponse;

/// A product and the answer to a query of it.
record ProductResponse(ProductView product, JsonResponse json) {
  static ProductResponse of(ProductView product) {
    return new ProductResponse(product, JsonResponse.ok(product));
  }

  /// The same with the JSON text already written.
  ProductResponse encoded() {
    return new ProductResponse(product, json.encoded());
  }
}
