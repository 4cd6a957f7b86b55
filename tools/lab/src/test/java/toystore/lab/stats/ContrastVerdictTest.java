package toystore.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static toystore.lab.stats.ConfidenceIntervalTest.logRatios;
import static toystore.lab.stats.ConfidenceIntervalTest.rounded;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import toystore.lab.stats.ContrastVerdict.CannotTell;
import toystore.lab.stats.ContrastVerdict.Different;
import toystore.lab.stats.ContrastVerdict.Direction;
import toystore.lab.stats.ContrastVerdict.Equivalent;
import toystore.lab.stats.ContrastVerdict.NoVerdict;

class ContrastVerdictTest {
  private static final DriftTest STEADY = new DriftTest(new ConfidenceInterval(1, 0.98, 1.02));
  private static final DriftTest DRIFTING = new DriftTest(new ConfidenceInterval(0.71, 0.65, 0.78));

  // by hand: mean 0.05, standard error 0.1 ÷ √5, t = 2.5706 (5 degrees of freedom, 95 %) or
  // 4.2193 (99.17 %)
  @Test
  void intervalOfEachContrastGrowsWithTheirNumber() {
    var observed = alternating(0.05, 0.1, 6);
    assertThat(rounded(ContrastVerdict.interval(observed, 1)))
        .isEqualTo(rounded(exp(0.05, 2.5706 * 0.1 / Math.sqrt(5))));
    assertThat(rounded(ContrastVerdict.interval(observed, 6)))
        .isEqualTo(rounded(exp(0.05, 4.2193 * 0.1 / Math.sqrt(5))));
  }

  @Test
  void intervalThatExcludesOneIsADifference() {
    var longer = verdict(alternating(Math.log(1.52), 0.1, 8));
    assertThat(longer.text()).isEqualTo("takes 1.52 times as long [1.39, 1.66]");
    assertThat(longer)
        .isInstanceOfSatisfying(
            Different.class, it -> assertThat(it.direction()).isEqualTo(Direction.LONGER));
    assertThat(verdict(alternating(-0.5, 0.1, 8)))
        .isInstanceOfSatisfying(
            Different.class, it -> assertThat(it.direction()).isEqualTo(Direction.SHORTER));
  }

  @Test
  void marginOfNoDifferenceIsSmallerFromTenBlocks() {
    assertThat(verdict(alternating(0, 0.05, 6))).isEqualTo(new Equivalent(0.20));
    assertThat(verdict(alternating(0, 0.05, 9))).isEqualTo(new Equivalent(0.20));
    assertThat(verdict(alternating(0, 0.05, 10))).isEqualTo(new Equivalent(0.10));
    assertThat(verdict(alternating(0, 0.05, 10)).text()).isEqualTo("no difference (within ±10 %)");
  }

  @Test
  void intervalBeyondTheMarginTellsNothing() {
    assertThat(verdict(alternating(0.03, 0.2, 8)))
        .isInstanceOf(CannotTell.class)
        .extracting(ContrastVerdict::text)
        .isEqualTo("cannot tell within ±24 %");
    assertThat(new CannotTell(1.42).text()).isEqualTo("cannot tell within a factor of 2.4");
  }

  // the drift allows a factor of 1 ÷ 0.65 = 1.54
  @Test
  void verdictThatDriftCanChangeIsWithheld() {
    List<DriftTest> drift = List.of(STEADY, DRIFTING);
    for (double ratio : List.of(1.0, 1.6, 1 / 1.6)) {
      assertThat(ContrastVerdict.of(alternating(Math.log(ratio), 0.1, 8), 1, drift))
          .isEqualTo(
              new NoVerdict(
                  "drifting: the last repetition takes 0.71 times as long [0.65, 0.78] as the"
                      + " first"));
    }
    assertThat(ContrastVerdict.of(alternating(Math.log(1.75), 0.1, 8), 1, drift).text())
        .isEqualTo(
            "takes 1.75 times as long [1.60, 1.91], of which drift explains at most a factor of"
                + " 1.54");
    DriftTest small = new DriftTest(new ConfidenceInterval(1.04, 1.01, 1.06));
    assertThat(ContrastVerdict.of(alternating(0, 0.05, 6), 1, List.of(small)))
        .isEqualTo(new Equivalent(0.20));
  }

  @Test
  void fewerThanSixBlocksGetNoVerdict() {
    assertThat(verdict(alternating(1, 0.1, 5)).text())
        .isEqualTo("no verdict: expected at least 6 blocks, found 5");
  }

  @Test
  void moreThanSixContrastsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContrastVerdict.of(alternating(1, 0.1, 8), 7, List.of()))
        .withMessage("expected 1 to 6 contrasts, found 7");
  }

  /// Power: with 5 % noise between blocks the standard error is 1.6 %, so 10 % are 6 standard
  /// errors away.
  @Test
  void tenPercentAreFoundInTenBlocks() {
    var random = new Random(4);
    var found =
        Stream.generate(() -> verdict(logRatios(1.1, 0.05, 10, random)))
            .limit(1_000)
            .filter(it -> it instanceof Different(var ratio, _) && ratio.low() > 1)
            .count();
    assertThat(found).as("seed 4").isGreaterThan(990);
  }

  /// Six contrasts without a difference: in at most 5 % of runs one of them is called different (in
  /// 4.9 %, as they are independent here). Three standard errors of 4,000 runs are 1.0 %.
  @Test
  void planOfSixContrastsHasOneFalseAlarmInTwentyRuns() {
    var random = new Random(5);
    long alarms =
        Stream.generate(() -> Stream.generate(() -> logRatios(1, 0.1, 8, random)).limit(6).toList())
            .limit(4_000)
            .filter(plan ->
                plan.stream()
                    .map(logRatios -> ContrastVerdict.of(logRatios, 6, List.of()))
                    .anyMatch(Different.class::isInstance))
            .count();
    assertThat(alarms / 4_000.0).as("seed 5").isBetween(0.039, 0.059);
  }

  private static ContrastVerdict verdict(List<Double> logRatios) {
    return ContrastVerdict.of(logRatios, 1, List.of(STEADY));
  }

  // an odd number has one value at the mean
  private static List<Double> alternating(double mean, double step, int blocks) {
    return IntStream.range(0, blocks)
        .mapToObj(i -> {
          double offset = i % 2 == 0 ? step : -step;
          return i == blocks - 1 && blocks % 2 == 1 ? mean : mean + offset;
        })
        .toList();
  }

  private static ConfidenceInterval exp(double mean, double reach) {
    return new ConfidenceInterval(mean, mean - reach, mean + reach).map(Math::exp);
  }
}
