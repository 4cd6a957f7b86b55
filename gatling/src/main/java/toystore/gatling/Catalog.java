package toystore.gatling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Asks the store before a run what it has in stock. One thread.
final class Catalog {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private final URI baseUrl;

  Catalog(URI baseUrl) {
    this.baseUrl = baseUrl;
  }

  /// The product, or else the first 200 in name order, without the stocks: those would be suspended
  /// once their traded volume is full.
  List<Shelves.Stock> inStock(Optional<String> product) {
    JsonNode answer = get(product.map(Catalog::path).orElse("/products?limit=200"));
    // a page or a single product: whatever object in it has a quantity
    return answer.findParents("quantity").stream()
        .filter(toy -> !toy.path("category").asText().equals("Stocks"))
        .map(toy -> new Shelves.Stock(toy.path("name").asText(), toy.path("quantity").asLong()))
        .toList();
  }

  /// `/products/{name}`, encoded.
  static String path(String toy) {
    return "/products/" + URLEncoder.encode(toy, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private JsonNode get(String path) {
    URI url = URI.create(baseUrl + path);
    try (var http = HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build()) {
      var answer =
          http.send(
              HttpRequest.newBuilder(url).timeout(PATIENCE).build(),
              BodyHandlers.ofString(StandardCharsets.UTF_8));
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(url + ": 200 wanted, found " + answer.statusCode());
      }
      return new ObjectMapper().readTree(answer.body());
    } catch (IOException e) {
      throw new IllegalStateException(url + ": no store answers there (" + e + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(url + ": interrupted", e);
    }
  }
}
