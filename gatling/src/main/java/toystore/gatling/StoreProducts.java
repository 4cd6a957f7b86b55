package toystore.gatling;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import toystore.gatling.environment.StoreHttpClient;

/// Reads the products in stock from the store before a run. One thread.
final class StoreProducts {
  private final URI baseUrl;

  StoreProducts(URI baseUrl) {
    this.baseUrl = baseUrl;
  }

  /// The given product, or the first 200 products by name. Stocks are excluded, because the store
  /// suspends them when their traded volume is full.
  List<ProductSelector.Stock> inStock(Optional<String> product) {
    JsonNode answer = get(product.map(StoreProducts::path).orElse("/products?limit=200"));
    // every object with a quantity, in a page or a single product
    return answer.findParents("quantity").stream()
        .filter(toy -> !toy.path("category").asText().equals("Stocks"))
        .map(toy ->
            new ProductSelector.Stock(toy.path("name").asText(), toy.path("quantity").asLong()))
        .toList();
  }

  /// `/products/{name}`, encoded.
  static String path(String toy) {
    return "/products/" + URLEncoder.encode(toy, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private JsonNode get(String path) {
    try {
      return new ObjectMapper().readTree(StoreHttpClient.get(URI.create(baseUrl + path)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          baseUrl + path + ": response is not valid JSON (" + e + ")", e);
    }
  }
}
