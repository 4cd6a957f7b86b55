package toystore.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import toystore.lab.load.CellRow;
import toystore.lab.load.JsonFile;

class WarmUpPilotTest {
  @Test
  void steadyRateNeedsNoWarmUp() {
    assertThat(WarmUpPilot.warmUpSeconds(seconds(120, _ -> 1_000))).isZero();
  }

  @Test
  void stepIsFound() {
    assertThat(WarmUpPilot.warmUpSeconds(seconds(120, second -> second < 30 ? 500 : 1_000)))
        .isEqualTo(29); // a window of 10 s with one slow second is within 5 %
  }

  @Test
  void slowSecondIsNoise() {
    assertThat(WarmUpPilot.warmUpSeconds(seconds(120, second -> second == 60 ? 600 : 1_000)))
        .isZero();
  }

  @Test
  void rateThatKeepsGrowingIsNotSteady() {
    List<CellRow> growing = seconds(60, second -> 100 * Math.exp(second / 20.0));
    assertThat(WarmUpPilot.warmUpSeconds(growing)).isEqualTo(60);
    assertThat(
            WarmUpPilot.answers(
                growing.stream().map(it -> new BlockRow(1, 1, "store", false, it)).toList()))
        .containsExactly("store: not steady within 60 s");
  }

  private static List<CellRow> seconds(int count, IntToDoubleFunction rate) {
    return IntStream.range(0, count)
        .mapToObj(second ->
            JsonFile.MAPPER.convertValue(
                Map.of(
                    "phase",
                    "warm-up",
                    "kind",
                    "all",
                    "seconds",
                    1,
                    "count",
                    Math.round(rate.applyAsDouble(second))),
                CellRow.class))
        .toList();
  }
}
