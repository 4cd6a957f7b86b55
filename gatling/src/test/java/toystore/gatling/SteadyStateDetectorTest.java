package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadyStateDetectorTest {
  private static final int WINDOW = 1_000;

  private final SteadyStateDetector warmUp = new SteadyStateDetector(WINDOW);

  @Test
  void steadyLatencyStillTakesTheMinimumNumberOfWindows() {
    assertThat(windowsUntilDone(window -> 200_000)).isEqualTo(SteadyStateDetector.LEAST_WINDOWS);
  }

  @Test
  void warmUpEndsAtTheFirstWindowWithinThreePercentOfThePreviousOne() {
    assertThat(windowsUntilDone(window -> window < 13 ? 900_000 / window : 60_000)).isEqualTo(14);
  }

  @Test
  void unsteadyLatencyEndsAtTheMaximumNumberOfWindows() {
    assertThat(windowsUntilDone(window -> window % 2 == 0 ? 100_000 : 200_000))
        .isEqualTo(SteadyStateDetector.MOST_WINDOWS);
  }

  @Test
  void slowStoreEndsWarmUpAtTheTimeLimit() {
    long second = 1_000_000_000;
    warmUp.add(0, second);
    assertThat(warmUp.done()).isFalse();
    warmUp.add(second, SteadyStateDetector.LONGEST.toNanos());
    assertThat(warmUp.done()).isTrue();
  }

  private interface Latency {
    long nanosIn(int window);
  }

  private int windowsUntilDone(Latency latency) {
    long now = System.nanoTime();
    int windows = 0;
    while (!warmUp.done()) {
      windows++;
      for (int call = 0; call < WINDOW; call++) {
        assertThat(warmUp.done()).isFalse();
        long nanos = latency.nanosIn(windows);
        warmUp.add(now, now + nanos);
        now += nanos;
      }
    }
    return windows;
  }
}
