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

/// Asks the store before a run what it has in stock. One thread.
final class StoreProducts {
  private final URI baseUrl;

  StoreProducts(URI baseUrl) {
    this.baseUrl = baseUrl;
  }

  /// The product, or else the first 200 in name order, without the stocks: those would be suspended
  /// once their traded volume is full.
  List<StockAllocation.Stock> inStock(Optional<String> product) {
    JsonNode answer = get(product.map(StoreProducts::path).orElse("/products?limit=200"));
    // a page or a single product: whatever object in it has a quantity
    return answer.findParents("quantity").stream()
        .filter(toy -> !toy.path("category").asText().equals("Stocks"))
        .map(toy ->
            new StockAllocation.Stock(toy.path("name").asText(), toy.path("quantity").asLong()))
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
