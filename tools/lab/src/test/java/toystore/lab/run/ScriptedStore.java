package toystore.lab.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static toystore.common.RootLocale.format;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// A store of two parts, `order` and `catalog`, whose times a test decides. Each start answers its
/// first call as call 1. Its metrics have the times of its parts.
final class ScriptedStore implements Subject {
  private final String name;
  private final Part order;
  private final Part catalog;
  final AtomicLong queries = new AtomicLong(); // of all starts
  final AtomicLong buys = new AtomicLong();

  /// The product of an order that is looked up, by the product that was bought.
  UnaryOperator<String> product = UnaryOperator.identity();

  private final Map<Long, String> orders = new ConcurrentHashMap<>(); // product by number

  /// What a start spent in its parts; the order includes the catalog.
  private record Times(AtomicLong orderNanos, AtomicLong catalogNanos) {}

  private static String timer(String service, AtomicLong nanos) {
    return format(
        "grpc_server_processing_duration_seconds_sum"
            + "{method=\"M\",methodType=\"UNARY\",service=\"toystore.%s.v1.S\"} %f\n",
        service, nanos.get() / 1e9);
  }

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
    var times = new Times(new AtomicLong(), new AtomicLong());
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext(
        "/products/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          queries.incrementAndGet();
          answer(
              exchange,
              calls.incrementAndGet(),
              times,
              format(
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
              times,
              path.equals("/orders")
                  ? bought(new String(exchange.getRequestBody().readAllBytes(), UTF_8))
                  : order(Long.parseLong(path.substring("/orders/".length()))));
        });
    server.createContext(
        "/metrics",
        exchange -> {
          try (exchange) {
            byte[] page =
                (timer("order", times.orderNanos) + timer("catalog", times.catalogNanos))
                    .getBytes(UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
          }
        });
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    var subject =
        new RunningSubject(url) {
          @Override
          public void close() {
            server.stop(0);
          }
        };
    subject.metrics.put(name, url.resolve("/metrics"));
    return subject;
  }

  private String bought(String body) {
    long number = buys.incrementAndGet();
    orders.put(number, body.split("\"")[3]);
    return format("{\"data\":{\"order_number\":%d}}", number);
  }

  private String order(long number) {
    return format(
        "{\"data\":{\"number\":%d,\"name\":\"%s\",\"quantity\":1}}",
        number, product.apply(orders.getOrDefault(number, "")));
  }

  private void answer(HttpExchange exchange, long call, Times times, String json)
      throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      long inOrder = spend(order.micros(call));
      long inCatalog = spend(catalog.micros(call));
      times.orderNanos.addAndGet(inOrder + inCatalog);
      times.catalogNanos.addAndGet(inCatalog);
      exchange.sendResponseHeaders(200, json.length());
      exchange.getResponseBody().write(json.getBytes(UTF_8));
    }
  }

  /// @return nanoseconds that it really took
  private static long spend(long micros) {
    long begin = System.nanoTime();
    for (long left = micros * 1_000; left > 0; left = micros * 1_000 - System.nanoTime() + begin) {
      LockSupport.parkNanos(left);
    }
    return System.nanoTime() - begin;
  }
}
