package toystore.torture.network;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A request of a client.
sealed interface RecordedRequest {
  ProductGroup group();

  /// One order.
  ///
  /// @param lines of different products
  record Buy(ProductGroup group, List<Line> lines) implements RecordedRequest {}

  record Line(String product, int quantity) {
    String toJson() {
      return String.format(Locale.ROOT, "{\"name\":\"%s\",\"quantity\":%d}", product, quantity);
    }
  }

  record Query(ProductGroup group, String product) implements RecordedRequest {}

  record Restock(ProductGroup group, String product, int quantity) implements RecordedRequest {}

  /// Method and path.
  default String target() {
    return switch (this) {
      case Buy _ -> "POST /orders";
      case Query query -> "GET /products/" + query.product;
      case Restock restock -> "POST /products/" + restock.product + "/restock";
    };
  }

  default String body() {
    return switch (this) {
      case Buy buy when buy.lines.size() == 1 -> buy.lines.getFirst().toJson();
      case Buy buy ->
          buy.lines.stream()
              .map(Line::toJson)
              .collect(Collectors.joining(",", "{\"lines\":[", "]}"));
      case Query _ -> "";
      case Restock restock -> "{\"quantity\":" + restock.quantity + "}";
    };
  }

  /// The HTTP request for a connection that carries no other request.
  ///
  /// @param key the Idempotency-Key; empty: none
  default String toHttp(String key) {
    String body = body();
    return target()
        + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + (key.isEmpty() ? "" : "Idempotency-Key: " + key + "\r\n")
        + (this instanceof Restock ? "Authorization: Bearer " + NetworkFaults.TOKEN + "\r\n" : "")
        + (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n")
        + "\r\n"
        + body;
  }
}
