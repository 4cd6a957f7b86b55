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
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// A server that numbers its responses from 0. A test decides what happens before a response.
final class LoadTestServer implements AutoCloseable {
  private static final Scenario.Check UNIQUE_NUMBER =
      new Scenario.Check(200, Map.of(), List.of(), List.of(), "/number", null, List.of());

  static final Scenario SCENARIO =
      new Scenario(
          Map.of("next", new Scenario.Kind("POST", "/next", "{}", UNIQUE_NUMBER)), Map.of());

  /// Runs before the response with this number.
  interface Before {
    void response(long number);
  }

  private final HttpServer server;
  private final AtomicLong next = new AtomicLong();

  LoadTestServer(Before before) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext("/next", exchange -> answer(exchange, before));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  private void answer(HttpExchange exchange, Before before) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      long number = next.getAndIncrement();
      before.response(number);
      byte[] body = format("{\"number\":%d}", number).getBytes(UTF_8);
      exchange.sendResponseHeaders(200, body.length);
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
