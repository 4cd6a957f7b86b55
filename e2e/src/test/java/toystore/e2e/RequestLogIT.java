package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The trace of a request in its answer and in logs: one log line per failed request, and none for
/// others.
class RequestLogIT {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @TempDir Path folder;

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
                          + "] toystore.frontend.http.PeerCalls : unexpected error from the order"
                          + " service"));
    }
  }

  @Test
  void validTraceHeaderIsAnsweredAndInJsonLogLines() throws Exception {
    Path log = folder.resolve("ecs.log");
    try (var store =
        StoreFixture.in(
            folder,
            "--logging.config=classpath:logs-json.xml",
            "--logging.file.name=" + log,
            "--logging.structured.format.file=ecs")) {
      assertThat(store.buy("Tux").header("traceparent")).isEmpty();
      assertThat(store.buy("Tux", "traceparent", PARENT).header("traceparent"))
          .containsExactly(PARENT);
      var unread = store.buy("Tux", "traceparent", "00-nonsense");
      assertThat(unread.status()).isEqualTo(200);
      assertThat(unread.header("traceparent")).isEmpty();

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
}
