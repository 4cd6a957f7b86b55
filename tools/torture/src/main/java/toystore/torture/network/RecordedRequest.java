package toystore.torture.network;

import static toystore.common.RootLocale.format;

import java.util.List;
import java.util.stream.Collectors;
import toystore.clients.StoreProcesses;

/// A request of a client.
///
/// @param lines of different products; one, unless it is a buy
record RecordedRequest(RequestKind kind, ProductGroup group, List<Line> lines) {
  enum RequestKind {
    BUY,
    LOOK,
    RESTOCK
  }

  /// @param quantity ordered, restocked or in stock; 0 if it is to be queried
  record Line(String toy, int quantity) {
    private String toJson() {
      return format("{\"name\":\"%s\",\"quantity\":%d}", toy, quantity);
    }
  }

  static RecordedRequest query(ProductGroup group, String toy) {
    return new RecordedRequest(RequestKind.LOOK, group, List.of(new Line(toy, 0)));
  }

  static RecordedRequest restock(ProductGroup group, String toy, int quantity) {
    return new RecordedRequest(RequestKind.RESTOCK, group, List.of(new Line(toy, quantity)));
  }

  boolean isBuy() {
    return kind == RequestKind.BUY;
  }

  private String target() {
    return switch (kind) {
      case BUY -> "POST /orders";
      case LOOK -> "GET /products/" + lines.getFirst().toy;
      case RESTOCK -> "POST /products/" + lines.getFirst().toy + "/restock";
    };
  }

  private String body() {
    return switch (kind) {
      case BUY ->
          lines.size() == 1
              ? lines.getFirst().toJson()
              : lines.stream()
                  .map(Line::toJson)
                  .collect(Collectors.joining(",", "{\"lines\":[", "]}"));
      case LOOK -> "";
      case RESTOCK -> "{\"quantity\":" + lines.getFirst().quantity + "}";
    };
  }

  /// The HTTP request for a connection that carries no other request.
  ///
  /// @param key the Idempotency-Key; empty: none
  String toHttp(String key) {
    String body = body();
    return target()
        + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + (key.isEmpty() ? "" : "Idempotency-Key: " + key + "\r\n")
        + (kind == RequestKind.RESTOCK
            ? "Authorization: Bearer " + StoreProcesses.TOKEN + "\r\n"
            : "")
        + (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n")
        + "\r\n"
        + body;
  }

  @Override
  public String toString() {
    return target() + " " + body();
  }
}
