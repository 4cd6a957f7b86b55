package toystore.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
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

  private static List<Double> exp(int first, int second) {
    return List.of(Math.exp(first), Math.exp(second));
  }
}
