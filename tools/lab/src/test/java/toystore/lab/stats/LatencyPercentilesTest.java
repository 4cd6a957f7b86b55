package toystore.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyPercentilesTest {
  @Test
  void percentileNeedsHundredCallsBeyondIt() {
    assertThat(LatencyPercentiles.isStated(199, 50)).isFalse();
    assertThat(LatencyPercentiles.isStated(200, 50)).isTrue();
    assertThat(LatencyPercentiles.isStated(9_999, 99)).isFalse();
    assertThat(LatencyPercentiles.isStated(10_000, 99)).isTrue();
    assertThat(LatencyPercentiles.isStated(99_999, 99.9)).isFalse();
    assertThat(LatencyPercentiles.isStated(100_000, 99.9)).isTrue();
  }
}
