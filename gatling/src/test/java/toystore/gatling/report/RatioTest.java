package toystore.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatioTest {
  @Test
  void intervalOnOneSideOfOneIsADifference() {
    assertThat(ratio(1.5, 1.4, 1.6, 1).clause()).isEqualTo("takes 1.50× [1.40, 1.60] as long");
    assertThat(ratio(1.5, 1.4, 1.6, 1).conclusion()).isEqualTo("longer");
    assertThat(ratio(0.5, 0.4, 0.6, 1).conclusion()).isEqualTo("shorter");
  }

  @Test
  void intervalThatContainsOneIsNoDifference() {
    assertThat(ratio(1.02, 0.97, 1.07, 1).clause())
        .isEqualTo("no detectable difference (1.02× [0.97, 1.07])");
  }

  @Test
  void ratioWithinTheResolutionIsNoDifference() {
    assertThat(ratio(1.02, 1.01, 1.03, 1.04).conclusion())
        .isEqualTo("no detectable difference: within the resolution of this machine, 1.04×");
    assertThat(ratio(0.98, 0.97, 0.99, 1.04).verdict()).isEqualTo(Verdict.NONE);
    assertThat(ratio(0.90, 0.89, 0.91, 1.04).verdict()).isEqualTo(Verdict.DOWN);
  }

  @Test
  void oneRepetitionGivesNoVerdict() {
    assertThat(ratio(3, 0, Double.POSITIVE_INFINITY, 1).clause())
        .isEqualTo("not known from one repetition (3.00× [interval unknown])");
  }

  @Test
  void boundDifferentFromOneIsNotRoundedToOne() {
    assertThat(ratio(1.01, 1.002, 1.018, 1).text()).isEqualTo("1.010× [1.002, 1.018]");
    assertThat(Numbers.times(1.004)).isEqualTo("1.004×");
  }

  @Test
  void figuresHaveThreeDigitsAndThousandsSeparators() {
    assertThat(Numbers.millis(0.012345)).isEqualTo("0.0123 ms");
    assertThat(Numbers.millis(9.996)).isEqualTo("10.0 ms");
    assertThat(Numbers.millis(12345.6)).isEqualTo("12,346 ms");
    assertThat(Numbers.millis(Double.NaN)).isEqualTo("—");
    assertThat(Numbers.millis(0)).isEqualTo("0 ms");
    assertThat(Numbers.percent(new Estimate(0.123, 0.1, 0.15))).isEqualTo("12.3 % [10.0, 15.0]");
  }

  private static Ratio ratio(double value, double low, double high, double resolves) {
    return new Ratio(new Estimate(value, low, high), resolves);
  }
}
