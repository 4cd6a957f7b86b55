package toystore.lab.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// A store of two parts, `order` and `catalog`, whose times a test decides. Each start answers its
/// first call as call 1. It names its parts where a request prefers it.
final class ScriptedStore implements Subject {
  private final String name;
  private final Part order;
  private final Part catalog;
  final AtomicLong queries = new AtomicLong(); // of all starts
  final AtomicLong buys = new AtomicLong();

  /// The product of an order that is looked up, by the product that was bought.
  UnaryOperator<String> product = UnaryOperator.identity();

  private final Map<Long, String> orders = new ConcurrentHashMap<>(); // product by number

  /// What a part does.
  interface Part {
    /// @param call number of the call, from 1
    long micros(long call);
  }

  ScriptedStore(String name, Part order, Part catalog) {
    this.name = name;
    this.order = order;
    this.catalog = catalog;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public RunningSubject start(Path folder) throws IOException {
    var calls = new AtomicLong();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext(
        "/products/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          queries.incrementAndGet();
          answer(
              exchange,
              calls.incrementAndGet(),
              String.format(
                  Locale.ROOT,
                  "{\"data\":{\"name\":\"%s\",\"price\":9.99,\"quantity\":1}}",
                  path.substring(path.lastIndexOf('/') + 1)));
        });
    server.createContext(
        "/orders",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          answer(
              exchange,
              calls.incrementAndGet(),
              path.equals("/orders")
                  ? bought(new String(exchange.getRequestBody().readAllBytes(), UTF_8))
                  : order(Long.parseLong(path.substring("/orders/".length()))));
        });
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return new RunningSubject(URI.create("http://127.0.0.1:" + server.getAddress().getPort())) {
      @Override
      public void close() {
        server.stop(0);
      }
    };
  }

  private String bought(String body) {
    long number = buys.incrementAndGet();
    orders.put(number, body.split("\"")[3]);
    return String.format(Locale.ROOT, "{\"data\":{\"order_number\":%d}}", number);
  }

  private String order(long number) {
    return String.format(
        Locale.ROOT,
        "{\"data\":{\"number\":%d,\"name\":\"%s\",\"quantity\":1}}",
        number,
        product.apply(orders.getOrDefault(number, "")));
  }

  private void answer(HttpExchange exchange, long call, String json) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      double inOrder = spend(order.micros(call));
      double inCatalog = spend(catalog.micros(call));
      if (exchange.getRequestHeaders().containsKey("Prefer")) {
        exchange
            .getResponseHeaders()
            .set(
                "Server-Timing",
                String.format(
                    Locale.ROOT,
                    "order;dur=%.3f, catalog;dur=%.3f",
                    inOrder + inCatalog,
                    inCatalog));
      }
      exchange.sendResponseHeaders(200, json.length());
      exchange.getResponseBody().write(json.getBytes(UTF_8));
    }
  }

  /// @return milliseconds that it really took
  private static double spend(long micros) {
    long begin = System.nanoTime();
    for (long left = micros * 1_000; left > 0; left = micros * 1_000 - System.nanoTime() + begin) {
      LockSupport.parkNanos(left);
    }
    return (System.nanoTime() - begin) / 1e6;
  }
}
