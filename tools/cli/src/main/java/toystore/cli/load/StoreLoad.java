package toystore.cli.load;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import toystore.cli.command.CommandRefusal;
import toystore.cli.load.ResponseCheck.Verdict;
import toystore.cli.shop.HttpStore;

/// The store over HTTP as a target. Any thread.
record StoreLoad(HttpStore store) implements LoadTarget {
  private static final JsonMapper JSON = JsonMapper.shared();

  /// The names on the first page: all of them, or those with units in stock.
  @Override
  public List<String> products(LoadKind kind) throws IOException, InterruptedException {
    var path = kind.area() == LoadKind.Area.STOCKS ? "/stocks" : "/products";
    var answer = store.send(store.request(path + "?limit=200").GET().build());
    if (answer.status() != 200) {
      throw new CommandRefusal(
          "GET %s%s answered with status %d; expected 200", store, path, answer.status());
    }
    var names =
        items(answer.body())
            .valueStream()
            .filter(it -> !kind.needsStock() || it.path("quantity").asLong(0) > 0)
            .map(it -> it.path("name").asString(""))
            .toList();
    if (names.isEmpty()) {
      throw new CommandRefusal("%s has no product%s", store, kind.needsStock() ? " in stock" : "");
    }
    return names;
  }

  private static JsonNode items(String body) {
    try {
      return JSON.readTree(body).at("/data/items");
    } catch (JacksonException noJson) {
      throw new CommandRefusal("the list of products is not valid JSON");
    }
  }

  @Override
  public Client client(LoadKind kind) {
    var check = new ResponseCheck();
    return switch (kind) {
      case QUERY -> (product, _) -> query(check, "/products/", product);
      case LOOKUP -> (product, _) -> query(check, "/stocks/", product);
      case BUY -> (product, _) -> sale(check, "/data/order_number", order(product));
      case TRADE ->
          (product, number) ->
              sale(
                  check,
                  "/data/transaction_number",
                  order(product).put("type", number % 2 == 0 ? "buy" : "sell"));
      default ->
          throw CommandRefusal.usage(
              "--kind %s requires the catalog's gRPC port: --url grpc://HOST:PORT", kind);
    };
  }

  private Supplier<Verdict> query(ResponseCheck check, String path, String product)
      throws IOException, InterruptedException {
    var encoded = URLEncoder.encode(product, StandardCharsets.UTF_8).replace("+", "%20");
    var answer = store.send(store.request(path + encoded).GET().build());
    var name = JSON.getNodeFactory().stringNode(product);
    return () ->
        check.json(
            200,
            answer,
            body -> {
              var data = body.path("data");
              return !data.path("name").equals(name)
                  ? Verdict.Wrong.of("response is not product " + product, answer.body())
                  : Verdict.of(
                      data.path("price").isNumber() && data.path("quantity").isIntegralNumber(),
                      "price or quantity missing",
                      answer.body());
            });
  }

  private static ObjectNode order(String product) {
    return JSON.createObjectNode().put("name", product).put("quantity", 1);
  }

  private Supplier<Verdict> sale(ResponseCheck check, String number, ObjectNode order)
      throws IOException, InterruptedException {
    var answer =
        store.send(
            store
                .request("/orders")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(order.toString()))
                .build());
    return () ->
        answer.status() == 409
            ? new Verdict.Refused(answer.body().contains("is suspended") ? "suspended" : "sold out")
            : check.growing(200, answer, number);
  }

  @Override
  public void close() {
    store.close();
  }
}
