package toystore.torture.network;

import java.util.List;
import java.util.stream.Collectors;

/// What a client wants.
sealed interface Wish {
  Shelf shelf();

  /// One order.
  ///
  /// @param lines of different toys
  record Buy(Shelf shelf, List<Line> lines) implements Wish {}

  record Line(String toy, int quantity) {}

  record Look(Shelf shelf, String toy) implements Wish {}

  record Restock(Shelf shelf, String toy, int quantity) implements Wish {}

  /// The request's head as far as it says what is wanted: method and path.
  default String target() {
    return switch (this) {
      case Buy _ -> "POST /orders";
      case Look look -> "GET /products/" + look.toy;
      case Restock restock -> "POST /products/" + restock.toy + "/restock";
    };
  }

  /// The request's body.
  default String body() {
    return switch (this) {
      case Buy buy when buy.lines.size() == 1 -> json(buy.lines.getFirst());
      case Buy buy ->
          buy.lines.stream().map(Wish::json).collect(Collectors.joining(",", "{\"lines\":[", "]}"));
      case Look _ -> "";
      case Restock restock -> "{\"quantity\":" + restock.quantity + "}";
    };
  }

  private static String json(Line line) {
    return "{\"name\":\"%s\",\"quantity\":%d}".formatted(line.toy, line.quantity);
  }
}
