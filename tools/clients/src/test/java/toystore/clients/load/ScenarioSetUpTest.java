package toystore.clients.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
  private LoadTestServer server;
  private URI url;

  @BeforeEach
  void start() throws IOException {
    server = new LoadTestServer(this::answer);
    url = server.url();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// The token of a client is its path.
  private String answer(LoadTestServer.Asked asked) {
    String user = asked.authorization();
    requests.add(user.isEmpty() ? asked.path() : asked.path() + " of " + user);
    return format("{\"token\":\"%s\"}", asked.path());
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
    server.status = 409;
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
