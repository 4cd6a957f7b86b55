package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import toystore.clients.HttpTestClient;

/// Server-Timing headers on request, one log line per failed request, and none for others.
@Timeout(120)
class ServerTimingIT {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private static final Pattern PART = Pattern.compile("([a-z]+);dur=(\\d+\\.\\d{3})(?:, |$)");

  @TempDir Path folder;

  @Test
  void serverTimingIsReturnedOnRequestAndAnyTraceHeaderIsAccepted() throws Exception {
    try (var store = StoreFixture.in(folder)) {
      var buy = store.buy("Tux", "Prefer", "respond-async, Server-Timing; detail=\"x\"");
      assertThat(buy.header("Preference-Applied")).containsExactly("server-timing");
      Map<String, Double> parts = parts(buy);
      assertThat(parts.keySet())
          .containsExactlyInAnyOrder("frontend", "order", "catalog", "queue", "decide", "commit");
      assertThat(parts.get("frontend")).isGreaterThan(parts.get("order"));
      assertThat(parts.get("order")).isGreaterThan(parts.get("catalog"));
      assertThat(parts.get("catalog"))
          .isGreaterThan(
              Stream.of("queue", "decide", "commit")
                  .mapToDouble(part -> parts.getOrDefault(part, Double.NaN))
                  .sum());
      assertThat(parts.get("commit")).isPositive();

      var refused =
          store
              .http()
              .post("/orders", "{\"name\":\"Tux\",\"quantity\":999}", "Prefer", "server-timing");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(parts(refused)).containsKeys("frontend", "order", "queue", "decide", "commit");

      var query = store.http().get("/products/Tux", "Prefer", "server-timing");
      assertThat(parts(query).keySet()).containsExactlyInAnyOrder("frontend", "catalog");
      var page = store.http().get("/products?limit=200", "Prefer", "server-timing");
      assertThat(parts(page).keySet()).containsExactlyInAnyOrder("frontend", "catalog");

      var unasked = store.buy("Tux", "Prefer", "return=minimal");
      assertThat(unasked.header("Server-Timing")).isEmpty();
      assertThat(unasked.header("Preference-Applied")).isEmpty();
      assertThat(unasked.header("traceparent")).isEmpty();

      var passed = store.buy("Tux", "traceparent", PARENT);
      assertThat(passed.header("traceparent")).containsExactly(PARENT);
      var unread = store.buy("Tux", "traceparent", "00-nonsense");
      assertThat(unread.status()).isEqualTo(200);
      assertThat(unread.header("traceparent")).isEmpty();
    }
  }

  @Test
  void successfulRequestsAreNotLoggedAndFailureIsLoggedInOneLine() throws Exception {
    Path log = folder.resolve("plain.log");
    try (var store =
        StoreFixture.in(
            folder, "--logging.config=classpath:logs-plain.xml", "--logging.file.name=" + log)) {
      int before = lines(log).size();
      for (int i = 0; i < 250; i++) {
        store.buy("Tux", "traceparent", PARENT);
        store.http().get("/products/no-such-toy");
        store.http().get("/nobody/answers/here");
        store.http().post("/orders", "{no order");
      }
      assertThat(lines(log)).hasSize(before);

      assertThat(store.failingRequest("traceparent", PARENT).status()).isEqualTo(500);
      await(() -> lines(log).size() > before + 1);
      var news = lines(log).subList(before, lines(log).size());
      assertThat(news)
          .hasSize(2)
          .anySatisfy(line ->
              assertThat(line)
                  .matches(
                      "\\S+ ERROR \\[.+] \\["
                          + TRACE
                          + "] toystore.platform.rpc.UnaryResponses : a call.+")
                  .contains("SQLITE_CORRUPT", " | at "))
          .anySatisfy(line ->
              assertThat(line)
                  .contains(
                      "["
                          + TRACE
                          + "] toystore.frontend.http.PeerCalls : unexpected error from the order service"));
    }
  }

  @Test
  void jsonLogLinesContainTraceId() throws Exception {
    Path log = folder.resolve("ecs.log");
    try (var store =
        StoreFixture.in(
            folder,
            "--logging.config=classpath:logs-json.xml",
            "--logging.file.name=" + log,
            "--logging.structured.format.file=ecs")) {
      assertThat(store.failingRequest("traceparent", PARENT).status()).isEqualTo(500);
      await(() -> traced(log).size() >= 2);
      assertThat(traced(log))
          .extracting(it -> it.get("message").asString())
          .containsOnly("a call failed", "unexpected error from the order service");
    }
  }

  private static List<JsonNode> traced(Path log) throws IOException {
    return lines(log).stream()
        .map(JsonMapper.shared()::readTree)
        .filter(it -> it.path("traceId").asString("").equals(TRACE))
        .toList();
  }

  private static List<String> lines(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return new ArrayList<>(lines.toList());
    }
  }

  private static Map<String, Double> parts(HttpTestClient.Reply reply) {
    String header = String.join("", reply.header("Server-Timing"));
    assertThat(header).startsWith("frontend;dur=");
    var parts = new TreeMap<String, Double>();
    PART.matcher(header)
        .results()
        .forEach(it -> parts.put(it.group(1), Double.valueOf(it.group(2))));
    return parts;
  }
}
