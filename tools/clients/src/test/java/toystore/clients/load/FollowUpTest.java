package toystore.clients.load;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Clients buy some of what they have queried, and look their orders up at the end.
@SuppressWarnings("NullAway.Init") // started before each test
class FollowUpTest {
  private static final int CLIENTS = 3;
  private static final Duration HALF = Duration.ofMillis(500);
  private static final String JSON =
      """
      { "kinds": {
          "query": { "path": "/products/{toy}", "check": { "status": 200, "equal": { "/name": "{toy}" } } },
          "buy": { "method": "POST", "path": "/orders", "body": "{toy}",
                   "check": { "status": 200, "growing": "/number" } },
          "order": { "path": "/orders/{number}",
                     "check": { "status": 200, "equal": { "/number": "{number}", "/name": "{bought}" } } } },
        "values": { "toy": ["Tux", "Fox", "Owl"] },
        "setUp": [ { "kind": "buy", "keep": { "number": "/number", "bought": "{toy}" } } ] }
      """;

  private final Scenario scenario =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build()
          .readValue(JSON, Scenario.class);
  private final CallRecorder queries = new CallRecorder();
  private final CallRecorder buys = new CallRecorder();
  private final CallRecorder lookUps = new CallRecorder();

  /// What was bought, by number.
  private final Map<String, String> orders = new ConcurrentHashMap<>();

  /// The ports of the clients.
  private final Set<Integer> connections = ConcurrentHashMap.newKeySet();

  private LoadTestServer shop;

  @BeforeEach
  void open() throws IOException {
    shop = new LoadTestServer(this::answer);
  }

  /// Answers each query, numbers the orders and finds them again. The body of an order is the name
  /// of a toy.
  private String answer(LoadTestServer.Asked asked) {
    connections.add(asked.client());
    if (!asked.body().isEmpty()) {
      orders.put(Long.toString(asked.number()), asked.body());
      return format("{\"number\":%d}", asked.number());
    }
    String last = asked.path().substring(asked.path().lastIndexOf('/') + 1);
    return asked.path().startsWith("/products/")
        ? format("{\"name\":\"%s\"}", last)
        : format("{\"number\":%s,\"name\":\"%s\"}", last, orders.getOrDefault(last, "none"));
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void ordersAreThoseOfQueriedToysAndAreLookedUpOverTheSameConnections() throws Exception {
    try (var loop = new ClosedLoop(CLIENTS, 1)) {
      follow(loop, 0.4);
      loop.callKept(source("order"), lookUps);
    }
    assertThat(buys.correct() / (double) queries.correct()).isBetween(0.3, 0.5);
    assertThat(lookUps.correct()).isEqualTo(orders.size()).isPositive();
    assertThat(List.of(queries, buys, lookUps)).allMatch(it -> it.firstError() == null);
    assertThat(connections).hasSize(CLIENTS);
  }

  @Test
  void orderThatIsNotWhatItsClientBoughtIsAnError() throws Exception {
    try (var loop = new ClosedLoop(1, 1)) {
      follow(loop, 1);
      orders.replaceAll((_, _) -> "Elk");
      loop.callKept(source("order"), lookUps);
    }
    assertThat(lookUps.failures()).isEqualTo(orders.size()).isPositive();
    assertThat(lookUps.firstError()).startsWith("name is not ").endsWith("\"name\":\"Elk\"}");
  }

  private void follow(ClosedLoop loop, double probability) throws InterruptedException {
    var followUp =
        new ClosedLoop.FollowUp(
            source("query"), source("buy"), probability, scenario.keptOf("buy"));
    loop.callWithFollowUp(followUp, HALF, HALF, List.of(queries, buys), () -> {});
  }

  private CallSource source(String kind) {
    return new CallSource(shop.url(), scenario, kind);
  }
}
