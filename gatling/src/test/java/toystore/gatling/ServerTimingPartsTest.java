package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerTimingPartsTest {
  private final ServerTimingParts parts = new ServerTimingParts();

  @Test
  void eachPartExcludesTheTimeOfNestedParts() {
    parts.add(0, 10_000_000);
    parts.add(
        "frontend;dur=8.000, order;dur=5.000, catalog;dur=3.000, queue;dur=0.100, decide;dur=0.200, commit;dur=2.000");
    assertThat(rounded())
        .isEqualTo(
            Map.of(
                "whole", 10_000L,
                "network", 2_000L,
                "frontend", 3_000L,
                "order", 2_000L,
                "catalog", 700L,
                "queue", 100L,
                "decide", 200L,
                "commit", 2_000L));
  }

  @Test
  void partsOfAQueryHaveNoOrderService() {
    parts.add(0, 2_000_000);
    parts.add("frontend;dur=1.500, catalog;dur=0.500");
    parts.add(0, 4_000_000);
    parts.add("frontend;dur=3.500, catalog;dur=1.500");
    assertThat(rounded())
        .isEqualTo(Map.of("whole", 3_000L, "network", 500L, "frontend", 1_500L, "catalog", 1_000L));
  }

  @Test
  void missingServerTimingGivesNoParts() {
    parts.add(0, 2_000_000);
    parts.add(null);
    assertThat(parts.means()).isEmpty();
  }

  private Map<String, Long> rounded() {
    return parts.means().entrySet().stream()
        .collect(
            java.util.stream.Collectors.toMap(Map.Entry::getKey, it -> Math.round(it.getValue())));
  }
}
