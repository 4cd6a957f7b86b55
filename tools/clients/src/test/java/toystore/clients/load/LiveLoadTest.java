package toystore.clients.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import toystore.clients.Conditions;

class LiveLoadTest {
  @Test
  void finishedLoadHasCountedEveryResponse() throws Exception {
    try (var server = LoadTestServer.numbering(_ -> {});
        var load = load(server)) {
      Conditions.await(() -> server.answered() > 100);
      load.finish();
      assertThat(load.totals().getFirst().correct()).isEqualTo(server.answered());
      assertThat(load.latencies().getFirst().getTotalCount()).isEqualTo(server.answered());
      assertThat(load.totals().getFirst().failed()).isEmpty();
    }
  }

  /// A report may be made long after its load.
  @Test
  void totalsOfAnEndedLoadDoNotChange() throws Exception {
    try (var server = LoadTestServer.numbering(_ -> {});
        var load = load(server)) {
      Conditions.await(() -> server.answered() > 100);
      load.close();
      var totals = load.totals();
      long end = System.nanoTime();
      Conditions.await(() -> System.nanoTime() - end > 50_000_000);
      assertThat(load.totals()).isEqualTo(totals);
      assertThat(load.isEnded()).isTrue();
    }
  }

  @Test
  void responseThatSaysItsRequestFailedIsNotWrong() {
    assertThat(
            List.of(
                "status 503, expected 200",
                "POST /api/cart/items: status 504, expected 201",
                "no response"))
        .allMatch(FaultWatch::isPromised);
    assertThat(List.of("status 500, expected 200", "order_number was returned twice"))
        .noneMatch(FaultWatch::isPromised);
  }

  private static LiveLoad load(LoadTestServer server) {
    return new LiveLoad(
        List.of(server.source()), 0, 4, Duration.ZERO, new ClosedLoop.ResponseListener() {});
  }
}
