package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MeasurementTest {
  private final Measurement measurement = new Measurement(2, "query");

  @Test
  void aHundredCallsOfOneToAHundredMicrosecondsEndToEnd() {
    long now = System.nanoTime();
    for (int micros = 1; micros <= 100; micros++) {
      measurement.add(now, now + micros * 1_000L);
      now += 10_000_000;
    }
    // 99 starts of 10 ms and the last call's 100 µs
    assertThat(measurement.cell())
        .isEqualTo(new Cell(2, "query", 100, 50.5, 50, 95, 99, 100, 100 / 0.9901));
  }

  @Test
  void nanosecondsAreRoundedAndAMinuteIsTheMost() {
    measurement.add(0, 1_499);
    measurement.add(0, 1_500);
    measurement.add(0, 3_600_000_000_000L);
    Cell cell = measurement.cell();
    assertThat(cell.p50Micros()).isEqualTo(2);
    assertThat(cell.maxMicros()).isBetween(60_000_000L, 60_100_000L);
  }

  @Test
  void nothingTakenIsNoCell() {
    assertThatThrownBy(measurement::cell).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aHistogramSaysWhichCellItIsAndWhenItWasTaken() {
    long before = System.currentTimeMillis();
    long now = System.nanoTime();
    measurement.add(now, now + 5_000_000);
    var micros = measurement.micros();
    assertThat(micros.getTag()).isEqualTo("2-query");
    assertThat(micros.getEndTimeStamp() - micros.getStartTimeStamp()).isBetween(4L, 6L);
    assertThat(micros.getStartTimeStamp()).isBetween(before - 1_000, before + 1_000);
  }
}
