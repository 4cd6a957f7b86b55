package toystore.clients.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static toystore.common.RootLocale.format;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Two clients log in, and buy what they have put into their carts.
class ScenarioSetUpTest {
  private static final String JSON =
      """
      { "kinds": {
          "log-in": { "path": "/login/{client}", "check": { "status": 200 } },
          "fill": { "path": "/fill", "headers": { "Authorization": "{token}" },
                    "check": { "status": 200 } },
          "buy": { "first": "fill", "path": "/buy", "headers": { "Authorization": "{token}" },
                   "check": { "status": 200 } },
          "list": { "path": "/list", "check": { "status": 200 } } },
        "setUp": [ { "kind": "list", "keep": { "unused": "/token" } },
                   { "kind": "log-in", "perClient": true, "keep": { "token": "/token" } } ] }
      """;

  private final Queue<String> requests = new ConcurrentLinkedQueue<>();
  private HttpServer server;
  private URI url;
  private int status = 200;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext("/", this::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /// The token of a client is its path.
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String token = exchange.getRequestHeaders().getFirst("Authorization");
      requests.add(token == null ? path : path + " of " + token);
      byte[] body = format("{\"token\":\"%s\"}", path).getBytes(UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Test
  void eachClientHasItsSessionAndItsFirstRequest() throws Exception {
    Scenario prepared = ScenarioSetUp.call(url, scenario(), List.of("list", "buy"), 2);
    try (var loop = new ClosedLoop(2, 1)) {
      loop.callCount(new CallSource(url, prepared, "buy"), 1, new CallRecorder());
    }
    assertThat(requests)
        .containsExactlyInAnyOrder(
            "/login/0",
            "/login/1",
            "/fill of /login/0",
            "/buy of /login/0",
            "/fill of /login/1",
            "/buy of /login/1");
  }

  @Test
  void kindWithoutASessionNeedsNoSetUp() throws Exception {
    assertThat(ScenarioSetUp.call(url, scenario(), List.of("list"), 2)).isEqualTo(scenario());
    assertThat(requests).isEmpty();
  }

  @Test
  void wrongResponsesAreExplained() throws Exception {
    Scenario prepared = ScenarioSetUp.call(url, scenario(), List.of("buy"), 2);
    status = 409;
    var recorder = new CallRecorder();
    try (var loop = new ClosedLoop(1, 1)) {
      loop.callCount(new CallSource(url, prepared, "buy"), 1, recorder);
    }
    assertThat(recorder.firstError())
        .isEqualTo("GET /fill: status 409, expected 200: {\"token\":\"/fill\"}");
    assertThatIOException()
        .isThrownBy(() -> ScenarioSetUp.call(url, scenario(), List.of("buy"), 2))
        .withMessage("GET /login/0: status 409, expected 200: {\"token\":\"/login/0\"}");
  }

  private static Scenario scenario() {
    return JsonMapper.builder()
        .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .build()
        .readValue(JSON, Scenario.class);
  }
}
