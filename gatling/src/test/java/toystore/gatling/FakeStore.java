package toystore.gatling;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;

/// A minimal store that responds correctly, or with one injected fault. To run it manually: `java …
/// toystore.gatling.FakeStore PORT [FAULT]`, then a run with its URL.
final class FakeStore implements AutoCloseable {
  /// The fault: order faults start with the 301st order, other faults are permanent.
  enum Fault {
    NONE,
    WHOLE_PRICE,
    WRONG_NAME,
    NUMBER_TWICE,
    SOLD_OUT,
    AUDIT
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FAULTY_FROM = 300;

  private final HttpServer server;
  private final Fault fault;
  private final Map<String, Integer> stock = new LinkedHashMap<>();
  private int orders;

  FakeStore(int port, Fault fault, Map<String, Integer> stock) throws IOException {
    this.fault = fault;
    this.stock.putAll(stock);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/products", this::product);
    server.createContext("/orders", this::order);
    server.createContext("/audit", this::audit);
    server.createContext(
        "/actuator/prometheus", exchange -> answer(exchange, 200, JSON.createObjectNode()));
    server.start();
  }

  public static void main(String[] arguments) throws IOException {
    Fault fault = arguments.length > 1 ? Fault.valueOf(arguments[1]) : Fault.NONE;
    var stock = Map.of("Tux", 10_000_000, "Matrjoschka Матрёшка", 10_000_000, "\"Ö\" & Co", 1000);
    var store = new FakeStore(Integer.parseInt(arguments[0]), fault, stock);
    System.out.println("ready " + store.url());
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void product(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/products")) {
      ObjectNode page = JSON.createObjectNode();
      stock.forEach((name, quantity) -> page.withArray("items").add(toy(name, quantity)));
      answer(exchange, 200, page);
      return;
    }
    String name = path.substring("/products/".length());
    Integer quantity = stock.get(name);
    if (quantity == null) {
      answer(exchange, 404, JSON.createObjectNode());
    } else {
      answer(exchange, 200, toy(fault == Fault.WRONG_NAME ? name + "!" : name, quantity));
    }
  }

  private ObjectNode toy(String name, int quantity) {
    ObjectNode toy = JSON.createObjectNode().put("name", name);
    if (fault == Fault.WHOLE_PRICE) {
      toy.put("price", 25);
    } else {
      toy.put("price", 25.99);
    }
    return toy.put("quantity", quantity);
  }

  private synchronized void order(HttpExchange exchange) throws IOException {
    JsonNode order = JSON.readTree(exchange.getRequestBody());
    boolean faulty = ++orders > FAULTY_FROM;
    if (!stock.containsKey(order.path("name").asText()) || (fault == Fault.SOLD_OUT && faulty)) {
      answer(exchange, 409, JSON.createObjectNode());
      return;
    }
    int number = fault == Fault.NUMBER_TWICE && faulty ? 0 : orders - 1;
    answer(exchange, 200, JSON.createObjectNode().put("order_number", number));
  }

  private void audit(HttpExchange exchange) throws IOException {
    byte[] body = "{\"ok\":%b,\"checks\":[]}".formatted(fault != Fault.AUDIT).getBytes(UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private static void answer(HttpExchange exchange, int status, ObjectNode data)
      throws IOException {
    byte[] body = JSON.writeValueAsBytes(JSON.createObjectNode().set("data", data));
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
