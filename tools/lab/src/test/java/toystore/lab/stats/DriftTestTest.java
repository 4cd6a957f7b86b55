package toystore.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DriftTestTest {
  private final Random random = new Random(3);

  @Test
  void driftOfAStartIsTheMeanOverItsCells() {
    double fallen = Math.log(0.5);
    assertThat(DriftTest.ofStart(List.of(List.of(4.0, 3.0, 2.0), List.of(8.0, 8.0, 8.0))))
        .isEqualTo(fallen / 2);
  }

  /// Latencies fall from 3.8 ms towards 1 ms with each repetition, as those of a store that was
  /// measured without a warm-up.
  @Test
  void warmingStoreIsDrifting() {
    var test = DriftTest.of(starts(repetition -> 1 + 2.8 * Math.exp(-repetition / 2.0)));
    assertThat(test.result()).isEqualTo(DriftTest.Result.DRIFTING);
    assertThat(test.text())
        .matches(
            "drifting: the last repetition takes 0\\.7\\d times as long \\[0\\.\\d\\d, 0\\.\\d\\d\\] as the first");
  }

  @Test
  void warmStoreIsSteady() {
    assertThat(DriftTest.of(starts(repetition -> 1)).result()).isEqualTo(DriftTest.Result.STEADY);
  }

  @Test
  void smallDriftThatIsCertainIsSteady() {
    assertThat(new DriftTest(new ConfidenceInterval(0.98, 0.97, 0.99)).result())
        .isEqualTo(DriftTest.Result.STEADY);
  }

  @Test
  void startsThatDifferTooMuchLeaveDriftUnresolved() {
    var unresolved = DriftTest.of(List.of(-0.2, 0.2, -0.1, 0.1));
    assertThat(unresolved.result()).isEqualTo(DriftTest.Result.UNRESOLVED);
    assertThat(DriftTest.of(List.of(-0.5)).result()).isEqualTo(DriftTest.Result.UNRESOLVED);
  }

  private interface Warmth {
    double millis(int repetition);
  }

  // 8 starts of 5 cells with two repetitions, each with 3 % noise
  private List<Double> starts(Warmth warmth) {
    return Stream.generate(() ->
            DriftTest.ofStart(
                Stream.generate(() -> List.of(noisy(warmth.millis(0)), noisy(warmth.millis(1))))
                    .limit(5)
                    .toList()))
        .limit(8)
        .toList();
  }

  private double noisy(double millis) {
    return millis * Math.exp(random.nextGaussian(0, 0.03));
  }
}
