package toystore.lab.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import toystore.lab.stats.ConfidenceInterval;

class ScaleTest {

  @Test
  void tenLiesHalfwayBetweenOneAndAHundredOnALogarithmicScale() {
    assertThat(new Scale(true, 1, 100).share(10)).isEqualTo(0.5);
    assertThat(new Scale(false, 0, 100).share(10)).isEqualTo(0.1);
  }

  @Test
  void linearTicksAreRound() {
    assertThat(new Scale(false, 0, 25).ticks(6)).containsExactly(0.0, 5.0, 10.0, 15.0, 20.0, 25.0);
    assertThat(new Scale(false, 0, 0.3).ticks(4)).containsExactly(0.0, 0.1, 0.2, 0.3);
    assertThat(new Scale(false, -7, 7).ticks(4)).containsExactly(-5.0, 0.0, 5.0);
  }

  @Test
  void logarithmicTicksAreOneTwoAndFive() {
    assertThat(new Scale(true, 0.4, 20).ticks(8)).containsExactly(0.5, 1.0, 2.0, 5.0, 10.0, 20.0);
  }

  @Test
  void fewTicksOfALogarithmicScaleCoverAllOfIt() {
    assertThat(new Scale(true, 0.25, 15).ticks(4)).containsExactly(0.3, 1.0, 3.0, 10.0);
    assertThat(new Scale(true, 0.25, 15).ticks(3)).containsExactly(1.0, 10.0);
    assertThat(new Scale(true, 0.6, 4.4).ticks(5)).containsExactly(0.7, 1.0, 2.0, 3.0);
    assertThat(new Scale(true, 0.6, 4.4).ticks(3)).containsExactly(1.0, 2.0);
  }

  @Test
  void shortLogarithmicScaleHasEqualSteps() {
    assertThat(new Scale(true, 0.85, 1.6).ticks(6)).containsExactly(1.0, 1.2, 1.4, 1.6);
  }

  @Test
  void hugeRangeHasPowersOfTenAtEqualDistances() {
    assertThat(new Scale(true, 1e-9, 1e12).ticks(6))
        .containsExactly(1e-8, 1e-4, 1.0, 1e4, 1e8, 1e12);
  }

  @Test
  void scaleFromZeroEndsAtARoundValueAboveTheHighest() {
    assertThat(Scale.fromZero(bars(3, 17))).isEqualTo(new Scale(false, 0, 20));
    assertThat(Scale.fromZero(bars(0))).isEqualTo(new Scale(false, 0, 1));
    assertThat(Scale.fromZero(List.of())).isEqualTo(new Scale(false, 0, 1));
  }

  @Test
  void veryWideIntervalLeavesTheScale() {
    var wide = new ConfidenceInterval(10, 0.001, 1e6);
    assertThat(Scale.fromZero(List.of(wide))).isEqualTo(new Scale(false, 0, 15));
    Scale logarithmic = Scale.logarithmic(List.of(wide, ConfidenceInterval.of(20)));
    assertThat(logarithmic.contains(5)).isTrue();
    assertThat(logarithmic.contains(40)).isTrue();
    assertThat(logarithmic.contains(50)).isFalse();
    assertThat(logarithmic.contains(4)).isFalse();
  }

  @Test
  void scaleOfOneValueHasItInTheMiddle() {
    assertThat(Scale.over(false, List.of(5.0)).share(5)).isEqualTo(0.5);
    assertThat(Scale.over(true, List.of(5.0)).share(5)).isEqualTo(0.5, within(1e-9));
    assertThat(Scale.logarithmic(bars(5)).share(5)).isEqualTo(0.5, within(1e-9));
  }

  @Test
  void zeroIsRefusedOnALogarithmicScale() {
    assertThatThrownBy(() -> Scale.logarithmic(bars(0, 3)))
        .hasMessage("expected values above 0 on a logarithmic axis, got 0.0");
  }

  @Test
  void labelsHaveThreeDigitsInEveryLocale() {
    assertThat(
            DoubleStream.of(0, 1, 0.25, 1.5164, 1500, 12345.6, 999_999, 1e6, 1.5e9, 2e-5, -3)
                .mapToObj(Scale::label))
        .containsExactly(
            "0", "1", "0.25", "1.52", "1,500", "12,346", "999,999", "1e6", "1.5e9", "2e-5", "-3");
    assertThat(Scale.label(Double.POSITIVE_INFINITY)).isEqualTo("∞");
  }

  @Test
  void textIsWrappedAtSpacesAndShortenedToItsWidth() {
    assertThat(TextWidth.wrapped("mean latency of a buy", 10, 75, 3))
        .containsExactly("mean latency", "of a buy");
    assertThat(TextWidth.shortened("latency", 10, 1000)).isEqualTo("latency");
    assertThat(TextWidth.shortened("mean latency", 10, 60)).isEqualTo("mean lat…");
    assertThat(TextWidth.shortened("mean latency", 10, 1)).isEqualTo("…");
  }

  private static List<ConfidenceInterval> bars(double... values) {
    return DoubleStream.of(values).mapToObj(ConfidenceInterval::of).toList();
  }
}
