package toystore.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VarianceComponentsTest {
  // between blocks 10 %, between starts 5 %, between repetitions 3 %
  private static final VarianceComponents TYPICAL =
      new VarianceComponents(Math.log(2), 0.1 * 0.1, 0.05 * 0.05, 0.03 * 0.03);

  // moisture of pigment paste: 15 batches, two samples of each, two tests of each sample
  private static final int[][] PASTE = {
    {40, 39, 30, 30},
    {26, 28, 25, 26},
    {29, 28, 14, 15},
    {30, 31, 24, 24},
    {19, 20, 17, 17},
    {33, 32, 26, 24},
    {23, 24, 32, 33},
    {34, 34, 29, 29},
    {27, 27, 31, 31},
    {13, 16, 27, 24},
    {25, 23, 25, 27},
    {29, 29, 31, 32},
    {19, 20, 29, 30},
    {23, 24, 25, 25},
    {39, 37, 26, 28}
  };

  // Box, Hunter and Hunter, Statistics for Experimenters, chapter 9: mean 26.8, components 7.1,
  // 28.5 and 0.92
  @Test
  void componentsOfTheTextbook() {
    var components =
        VarianceComponents.fit(
                Arrays.stream(PASTE)
                    .map(it -> new BaselinePair(exp(it[0], it[1]), exp(it[2], it[3])))
                    .toList())
            .orElseThrow();
    assertThat(
            Stream.of(
                    components.mean(),
                    components.block(),
                    components.start(),
                    components.repetition())
                .map(value -> Math.round(value * 1e4) / 1e4))
        .containsExactly(26.7833, 7.1280, 28.5333, 0.9167);
  }

  @Test
  void negativeComponentsAreZero() {
    var pair = new BaselinePair(List.of(1.0, 2.0), List.of(2.0, 1.0));
    var components = VarianceComponents.fit(List.of(pair, pair)).orElseThrow();
    assertThat(List.of(components.block(), components.start())).containsExactly(0.0, 0.0);
    assertThat(components.repetition()).isCloseTo(Math.pow(Math.log(2), 2) / 2, within(1e-9));
  }

  @Test
  void unbalancedRunsHaveNoComponents() {
    var two = new BaselinePair(List.of(1.0, 2.0), List.of(1.0, 2.0));
    var three = new BaselinePair(List.of(1.0, 2.0, 3.0), List.of(1.0, 2.0, 3.0));
    assertThat(VarianceComponents.fit(List.of(two, three))).isEmpty();
    assertThat(VarianceComponents.fit(List.of(two))).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BaselinePair(List.of(1.0), List.of(1.0, 2.0)));
  }

  @Test
  void fitFindsTheComponentsThatARunWasDrawnFrom() {
    var fitted = VarianceComponents.fit(simulated(TYPICAL, 4_000, 2, new Random(1))).orElseThrow();
    assertThat(fitted.mean()).as("seed 1").isCloseTo(Math.log(2), within(0.01));
    assertThat(fitted.block() / TYPICAL.block()).as("seed 1").isBetween(0.9, 1.1);
    assertThat(fitted.start() / TYPICAL.start()).as("seed 1").isBetween(0.9, 1.1);
    assertThat(fitted.repetition() / TYPICAL.repetition()).as("seed 1").isBetween(0.9, 1.1);
  }

  @Test
  void sameSeedDrawsTheSameRun() {
    assertThat(simulated(TYPICAL, 8, 2, new Random(2)))
        .isEqualTo(simulated(TYPICAL, 8, 2, new Random(2)))
        .hasSize(8);
  }

  /// A true rate of 5 % gives 5 % ± 0.69 % (one standard error) in 1,000 runs. Three standard
  /// errors are accepted: a correct interval leaves them with one seed in 370, and a rate of 10 %
  /// enters them with one seed in 900.
  @Test
  void baselineDiffersFromItselfAtTheNominalRate() {
    var fitted = VarianceComponents.fit(simulated(TYPICAL, 8, 2, new Random(11))).orElseThrow();
    for (int blocks : new int[] {6, 8, 10}) {
      assertThat(alarmRate(fitted, blocks, new Random(blocks)))
          .as("seed %d", blocks)
          .isBetween(0.029, 0.071);
    }
  }

  /// Why the unit is the block: with eight repetitions of one start each, the starts' own
  /// difference is taken for one between the subjects.
  @Test
  void repetitionsTakenForBlocksRaiseFalseAlarmsInMostRuns() {
    var random = new Random(16);
    long alarms =
        Stream.generate(() -> simulated(TYPICAL, 1, 8, random).getFirst())
            .limit(1_000)
            .map(VarianceComponentsTest::ratiosOfRepetitions)
            .filter(logRatios -> !ContrastVerdict.interval(logRatios, 1).contains(1))
            .count();
    assertThat(alarms).as("seed 16").isGreaterThan(500);
  }

  private static List<Double> ratiosOfRepetitions(BaselinePair pair) {
    return IntStream.range(0, pair.first().size())
        .mapToObj(i -> Math.log(pair.first().get(i) / pair.second().get(i)))
        .toList();
  }

  @Test
  void plantedRegressionOfTenPercentIsFound() {
    var random = new Random(12);
    long found =
        Stream.generate(() -> simulated(TYPICAL, 12, 2, random))
            .limit(1_000)
            .map(pairs -> pairs.stream().map(pair -> pair.logRatio() + Math.log(1.1)).toList())
            .map(logRatios -> ContrastVerdict.of(logRatios, 1, List.of()))
            .filter(it -> it instanceof ContrastVerdict.Different(var ratio, _) && ratio.low() > 1)
            .count();
    assertThat(found).as("seed 12").isGreaterThan(950);
  }

  /// Draws the baseline of a run: each level is normal on logarithms.
  private static List<BaselinePair> simulated(
      VarianceComponents of, int blocks, int repetitions, Random random) {
    return Stream.generate(
            () -> {
              double block = random.nextGaussian(of.mean(), Math.sqrt(of.block()));
              return new BaselinePair(
                  start(of, block, repetitions, random), start(of, block, repetitions, random));
            })
        .limit(blocks)
        .toList();
  }

  private static List<Double> start(
      VarianceComponents of, double block, int repetitions, Random random) {
    double start = random.nextGaussian(block, Math.sqrt(of.start()));
    return Stream.generate(() -> Math.exp(random.nextGaussian(start, Math.sqrt(of.repetition()))))
        .limit(repetitions)
        .toList();
  }

  /// The share of simulated runs whose 95 % A/A interval excludes 1. This checks the arithmetic
  /// from repetition to interval, not that real noise is normal; for that, see a run's own A/A
  /// ratios.
  private static double alarmRate(VarianceComponents of, int blocks, Random random) {
    return IntStream.range(0, 1_000)
            .mapToObj(run -> simulated(of, blocks, 2, random))
            .map(pairs -> pairs.stream().map(BaselinePair::logRatio).toList())
            .filter(logRatios -> !ContrastVerdict.interval(logRatios, 1).contains(1))
            .count()
        / 1_000.0;
  }

  private static List<Double> exp(int first, int second) {
    return List.of(Math.exp(first), Math.exp(second));
  }
}
