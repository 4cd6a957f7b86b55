package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static toystore.common.RootLocale.format;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;

/// A server that numbers its responses from 0. A test decides what they are.
final class LoadTestServer implements AutoCloseable {
  private static final Scenario.Check UNIQUE_NUMBER =
      new Scenario.Check(200, Map.of(), List.of(), List.of(), "/number", null, List.of());

  static final Scenario SCENARIO =
      new Scenario(
          Map.of("next", new Scenario.Kind("POST", "/next", "{}", UNIQUE_NUMBER)), Map.of());

  /// A request.
  ///
  /// @param authorization empty: it has none
  /// @param client the port of its connection
  /// @param number of its response
  record Asked(String path, String authorization, String body, int client, long number) {}

  private final HttpServer server;
  private final AtomicLong next = new AtomicLong();
  volatile int status = 200;

  LoadTestServer(Function<Asked, String> json) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext("/", exchange -> answer(exchange, json));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  /// The responses are their numbers.
  ///
  /// @param before runs before each
  static LoadTestServer numbering(LongConsumer before) throws IOException {
    return new LoadTestServer(asked -> {
      before.accept(asked.number);
      return format("{\"number\":%d}", asked.number);
    });
  }

  private void answer(HttpExchange exchange, Function<Asked, String> json) throws IOException {
    try (exchange) {
      var asked =
          new Asked(
              exchange.getRequestURI().getPath(),
              Objects.toString(exchange.getRequestHeaders().getFirst("Authorization"), ""),
              new String(exchange.getRequestBody().readAllBytes(), UTF_8),
              exchange.getRemoteAddress().getPort(),
              next.getAndIncrement());
      byte[] body = json.apply(asked).getBytes(UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  CallSource source() {
    return new CallSource(url(), SCENARIO, "next");
  }

  void restartNumbers() {
    next.set(0);
  }

  long answered() {
    return next.get();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
