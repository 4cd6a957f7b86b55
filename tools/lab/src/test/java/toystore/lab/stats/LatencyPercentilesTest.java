package toystore.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyPercentilesTest {
  @Test
  void percentileNeedsHundredCallsBeyondIt() {
    assertThat(LatencyPercentiles.of(calls(199))).isEmpty();
    assertThat(LatencyPercentiles.of(calls(200))).isEqualTo(Map.of(50.0, 100L));
    assertThat(LatencyPercentiles.of(calls(9_999)).keySet()).containsExactly(50.0, 90.0);
    assertThat(LatencyPercentiles.of(calls(10_000)))
        .isEqualTo(Map.of(50.0, 5_000L, 90.0, 9_000L, 99.0, 9_900L));
    assertThat(LatencyPercentiles.isStated(99_999, 99.9)).isFalse();
    assertThat(LatencyPercentiles.isStated(100_000, 99.9)).isTrue();
  }

  // latencies of 1, 2, 3 … µs, each exact
  private static Histogram calls(long count) {
    var histogram = new Histogram(1, 20_000, 5);
    LongStream.rangeClosed(1, count).forEach(histogram::recordValue);
    return histogram;
  }
}
