package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// A shop that answers each query, numbers its orders from 0 and finds them again. The body of an
/// order is the name of a toy.
final class LoadTestShop implements AutoCloseable {
  private final HttpServer server;
  private final AtomicLong next = new AtomicLong();

  /// What was bought, by number.
  final Map<String, String> orders = new ConcurrentHashMap<>();

  /// The ports of its clients.
  final Set<Integer> connections = ConcurrentHashMap.newKeySet();

  LoadTestShop() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext("/products/", it -> answer(it, "{\"name\":\"%s\"}", last(it)));
    server.createContext("/orders", this::buy);
    server.createContext(
        "/orders/",
        it ->
            answer(
                it,
                "{\"number\":%s,\"name\":\"%s\"}",
                last(it),
                orders.getOrDefault(last(it), "none")));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  private void buy(HttpExchange exchange) throws IOException {
    String number = Long.toString(next.getAndIncrement());
    orders.put(number, new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    answer(exchange, "{\"number\":%s}", number);
  }

  private static String last(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private void answer(HttpExchange exchange, String json, Object... values) throws IOException {
    try (exchange) {
      connections.add(exchange.getRemoteAddress().getPort());
      byte[] body = String.format(Locale.ROOT, json, values).getBytes(UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
