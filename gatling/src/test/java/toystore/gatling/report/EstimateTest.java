package toystore.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class EstimateTest {
  private static final Offset<Double> CLOSE = within(1e-3);

  // by hand: the mean ± 2.3646 (7 degrees of freedom) × √(32 / 7 / 8)
  @Test
  void meanHasStudentsInterval() {
    Estimate mean = Estimate.ofMean(List.of(5.0, 7.0, 5.0, 3.0, 5.0, 3.0, 3.0, 9.0));
    assertThat(mean.value()).isCloseTo(5, CLOSE);
    assertThat(mean.low()).isCloseTo(3.2125, CLOSE);
    assertThat(mean.high()).isCloseTo(6.7875, CLOSE);
  }

  @Test
  void oneRepetitionHasNoInterval() {
    assertThat(Estimate.ofMean(List.of(4.0)))
        .isEqualTo(new Estimate(4, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
    assertThat(Estimate.ofRatios(List.of(1.0)).isKnown()).isFalse();
    assertThat(Estimate.ofUnpaired(List.of(2.0), List.of(1.0, 1.1)).isKnown()).isFalse();
    assertThat(Numbers.millis(Estimate.ofMean(List.of(4.0))))
        .isEqualTo("4.00 ms [interval unknown]");
  }

  @Test
  void ratiosAreAveragedOnLogarithms() {
    Estimate ratio = Estimate.ofRatios(List.of(2.0, 0.5));
    assertThat(ratio.value()).isCloseTo(1, CLOSE);
    assertThat(ratio.low() * ratio.high()).isCloseTo(1, CLOSE);
    assertThat(Estimate.ofRatios(List.of(2.0, 2.0, 2.0)))
        .usingRecursiveComparison()
        .withComparatorForType((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : 1, Double.class)
        .isEqualTo(new Estimate(2, 2, 2));
  }

  @Test
  void unpairedRatioUsesWelchsInterval() {
    List<Double> a = List.of(1.0, 2.0, 3.0).stream().map(Math::exp).toList();
    List<Double> b = List.of(1.0, 1.0, 2.0, 2.0).stream().map(Math::exp).toList();
    Estimate ratio = Estimate.ofUnpaired(a, b);
    // by hand: 0.5 ± t × √(1/3 + 1/12), degrees of freedom (5/12)² ÷ ((1/3)²/2 + (1/12)²/3) = 3
    double reach = 3.1824 * Math.sqrt(5 / 12.0);
    assertThat(Math.log(ratio.value())).isCloseTo(0.5, CLOSE);
    assertThat(Math.log(ratio.low())).isCloseTo(0.5 - reach, within(0.02));
    assertThat(Math.log(ratio.high())).isCloseTo(0.5 + reach, within(0.02));
  }

  @Test
  void ratioIntervalCoversTheTrueValueIn95Percent() {
    var random = new Random(7);
    int held = 0;
    int tries = 4_000;
    for (int i = 0; i < tries; i++) {
      var observed = new ArrayList<Double>();
      for (int repetition = 0; repetition < 5; repetition++) {
        observed.add(Math.exp(Math.log(1.3) + 0.05 * random.nextGaussian()));
      }
      held += Estimate.ofRatios(observed).contains(1.3) ? 1 : 0;
    }
    assertThat((double) held / tries).as("seed 7").isBetween(0.94, 0.96);
  }

  @Test
  void quotientIntervalCoversTheTrueValueIn95Percent() {
    var random = new Random(8);
    int held = 0;
    int tries = 4_000;
    for (int i = 0; i < tries; i++) {
      var above = new ArrayList<Double>();
      var below = new ArrayList<Double>();
      for (int repetition = 0; repetition < 8; repetition++) {
        double whole = 2 + 0.2 * random.nextGaussian();
        below.add(whole);
        above.add(0.4 * whole + 0.02 * random.nextGaussian());
      }
      held += Estimate.ofQuotient(above, below).contains(0.4) ? 1 : 0;
    }
    assertThat((double) held / tries).as("seed 8").isBetween(0.93, 0.97);
  }

  @Test
  void quotientHasNoIntervalWhenTheDivisorMayBeZero() {
    assertThat(Estimate.ofQuotient(List.of(1.0, 1.1, 0.9), List.of(0.1, -0.1, 0.05)).isKnown())
        .isFalse();
  }

  @Test
  void lowerBoundOfALatencyIsNotNegative() {
    var wide = Estimate.ofMean(List.of(0.1, 9.0));
    assertThat(wide.low()).isNegative();
    assertThat(wide.notNegative()).isEqualTo(new Estimate(wide.value(), 0, wide.high()));
    assertThat(Numbers.millis(wide.notNegative())).startsWith("4.55 ms [0.00, ");
  }
}
