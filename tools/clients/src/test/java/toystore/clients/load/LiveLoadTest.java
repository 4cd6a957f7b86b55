package toystore.clients.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import toystore.clients.Conditions;

@Timeout(60)
class LiveLoadTest {
  @Test
  void finishedLoadHasCountedEveryResponse() throws Exception {
    try (var server = new LoadTestServer(_ -> {});
        var load = new LiveLoad(List.of(server.source()), 0, 4, Duration.ZERO, _ -> {})) {
      Conditions.await(() -> server.answered() > 100);
      load.finish();
      assertThat(load.totals().getFirst().correct()).isEqualTo(server.answered());
      assertThat(load.latencies().getFirst().getTotalCount()).isEqualTo(server.answered());
      assertThat(load.totals().getFirst().failed()).isEmpty();
    }
  }

  @Test
  void responseThatSaysItsRequestFailedIsNotWrong() {
    assertThat(
            List.of(
                "status 503, expected 200",
                "POST /api/cart/items: status 504, expected 201",
                "no response"))
        .allMatch(LiveLoad::isPromised);
    assertThat(List.of("status 500, expected 200", "order_number was returned twice"))
        .noneMatch(LiveLoad::isPromised);
  }
}
