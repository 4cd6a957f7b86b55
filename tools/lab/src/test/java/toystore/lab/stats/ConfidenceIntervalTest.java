package toystore.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConfidenceIntervalTest {
  // Student, The probable error of a mean, Biometrika 6, 1908: additional hours of sleep; R's
  // t.test(sleep) prints 0.7001142 and 2.4598858
  @Test
  void meanHasStudentsInterval() {
    var sleep = List.of(1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4);
    assertThat(rounded(ConfidenceInterval.ofMean(sleep, 0.95)))
        .isEqualTo(new ConfidenceInterval(1.58, 0.7001, 2.4599));
  }

  @Test
  void ratiosAreAveragedOnLogarithms() {
    // by hand: t = 12.7062 with one degree of freedom; the standard error is ln 2
    assertThat(
            rounded(
                ConfidenceInterval.ofLogRatios(List.of(Math.log(2), Math.log(0.5)), 0.95)
                    .map(Math::log)
                    .map(log -> log / Math.log(2))))
        .isEqualTo(new ConfidenceInterval(0, -12.7062, 12.7062));
  }

  @Test
  void oneObservationHasNoInterval() {
    assertThat(ConfidenceInterval.ofMean(List.of(4.0), 0.95))
        .isEqualTo(new ConfidenceInterval(4, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
    var ratio = ConfidenceInterval.ofLogRatios(List.of(0.0), 0.95);
    assertThat(ratio).isEqualTo(new ConfidenceInterval(1, 0, Double.POSITIVE_INFINITY));
    assertThat(ratio.isBounded()).isFalse();
    assertThat(ratio.timesAsLong()).isEqualTo("1.00 times as long [interval unknown]");
  }

  @Test
  void noObservationIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConfidenceInterval.ofMean(List.of(), 0.95))
        .withMessage("expected at least one observation, found none");
  }

  @Test
  void boundThatIsNotOneIsNotPrintedAsOne() {
    assertThat(new ConfidenceInterval(1.52, 1.4, 1.66).timesAsLong())
        .isEqualTo("1.52 times as long [1.40, 1.66]");
    assertThat(new ConfidenceInterval(1.02, 1.002, 1.04).timesAsLong())
        .isEqualTo("1.0200 times as long [1.0020, 1.0400]");
  }

  /// Of 4,000 intervals of a true one, 95 % ± 3 standard errors of 0.34 % hold the truth.
  @Test
  void intervalOfRatiosHoldsTheTruthAtItsLevel() {
    var random = new Random(7);
    for (double level : new double[] {0.95, 1 - 0.05 / 6}) {
      long held =
          IntStream.range(0, 4_000)
              .filter(run ->
                  ConfidenceInterval.ofLogRatios(logRatios(1.3, 0.1, 8, random), level)
                      .contains(1.3))
              .count();
      double error = Math.sqrt(level * (1 - level) / 4_000);
      assertThat(held / 4_000.0)
          .as("seed 7, level %s", level)
          .isBetween(level - 3 * error, level + 3 * error);
    }
  }

  static List<Double> logRatios(double ratio, double deviation, int blocks, Random random) {
    return Stream.generate(() -> random.nextGaussian(Math.log(ratio), deviation))
        .limit(blocks)
        .toList();
  }

  static ConfidenceInterval rounded(ConfidenceInterval interval) {
    return interval.map(bound -> Math.round(bound * 1e4) / 1e4);
  }
}
