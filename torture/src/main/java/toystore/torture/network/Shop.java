package toystore.torture.network;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import toystore.torture.Http;

/// What a store has in the end, asked without troubles.
record Shop(Http http, String token) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /// All orders, in the order of their numbers.
  List<Judge.Order> orders() throws IOException {
    List<Judge.Order> orders = new ArrayList<>();
    JsonNode next = null;
    do {
      JsonNode page = data("/orders?limit=200" + (next == null ? "" : "&after=" + next.asString()));
      page.path("items").forEach(it -> orders.add(order(it)));
      next = after(page);
    } while (next != null);
    return orders;
  }

  private static @Nullable JsonNode after(JsonNode page) {
    return page.get("next");
  }

  private static Judge.Order order(JsonNode order) {
    List<Wish.Line> lines = new ArrayList<>();
    (order.has("lines") ? order.get("lines") : List.of(order))
        .forEach(
            it -> lines.add(new Wish.Line(it.get("name").asString(), it.get("quantity").asInt())));
    return new Judge.Order(order.get("number").asLong(), lines);
  }

  Map<String, Long> stock(List<Shelf> shelves) throws IOException {
    Map<String, Long> stock = new HashMap<>();
    for (Shelf shelf : shelves) {
      for (String toy : shelf.toys()) {
        stock.put(toy, data("/products/" + toy).get("quantity").asLong());
      }
    }
    return stock;
  }

  private JsonNode data(String path) throws IOException {
    Http.Reply reply = http.get(path, "Authorization", "Bearer " + token);
    if (reply.status() != 200) {
      throw new AssertionError(path + " is answered " + reply.status() + " " + reply.body());
    }
    return JSON.readTree(reply.body()).get("data");
  }
}
