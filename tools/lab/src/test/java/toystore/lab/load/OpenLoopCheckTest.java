package toystore.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OpenLoopCheckTest {
  private static final List<Integer> STEADY = List.of(3, 5, 2, 4, 3, 5, 2, 4);

  @Test
  void steadyWindowIsValid() {
    assertThat(new OpenLoopCheck(1_000, 980, STEADY, 800, 80).verdict()).isEqualTo("valid");
  }

  @Test
  void windowThatCompletesTooLittleIsOverloaded() {
    assertThat(new OpenLoopCheck(1_000, 979, STEADY, 800, 80).verdict())
        .isEqualTo("overloaded: completed 979 of 1000 calls, expected at least 98 %");
  }

  @Test
  void growingBacklogIsOverloaded() {
    var growing = IntStream.rangeClosed(0, 20).mapToObj(i -> 5 * i).toList();
    assertThat(new OpenLoopCheck(10_000, 9_900, growing, 800, 80).verdict())
        .isEqualTo(
            "overloaded: backlog grew to 100 calls, expected at most 75 (1.5 times its mean, or 20)");
    assertThat(new OpenLoopCheck(10_000, 9_900, growing.reversed(), 800, 80).verdict())
        .isEqualTo("valid");
  }

  @Test
  void smallBacklogMayGrow() {
    assertThat(new OpenLoopCheck(1_000, 990, List.of(0, 1, 2, 10, 20), 800, 80).verdict())
        .isEqualTo("valid");
  }

  @Test
  void lateSendsVoidTheRun() {
    assertThat(new OpenLoopCheck(1_000, 500, STEADY, 800, 81).verdict())
        .isEqualTo(
            "void: sends were late: p99 of lateness is 81 µs, expected at most 80 µs (10 % of the median latency)");
  }

  /// One server with exponential times (M/M/1), 5,000 calls a window: at 80 % of its maximum hardly
  /// a window is overloaded, at 105 % nearly all are.
  @Test
  void queueBelowItsMaximumIsValidAndAboveItIsOverloaded() {
    var random = new Random(13);
    assertThat(overloaded(0.8, random)).as("seed 13").isLessThanOrEqualTo(1);
    assertThat(overloaded(1.05, random)).as("seed 13").isGreaterThanOrEqualTo(48);
  }

  private static long overloaded(double load, Random random) {
    return IntStream.range(0, 50)
        .mapToObj(run -> queue(load, 5_000, random).verdict())
        .filter(it -> it.startsWith("overloaded"))
        .count();
  }

  // arrivals at rate `load`, service at rate 1; the first tenth settles
  private static OpenLoopCheck queue(double load, int calls, Random random) {
    double end = calls / load;
    double arrival = 0;
    double free = 0;
    var arrivals = new ArrayList<Double>();
    var answers = new ArrayList<Double>();
    while (arrival < 1.1 * end) {
      arrival += random.nextExponential() / load;
      free = Math.max(arrival, free) + random.nextExponential();
      arrivals.add(arrival);
      answers.add(free);
    }
    double start = 0.1 * end;
    var backlog =
        IntStream.rangeClosed(0, 50)
            .mapToObj(i -> start + end * i / 50)
            .map(time -> (int) (before(arrivals, time) - before(answers, time)))
            .toList();
    return new OpenLoopCheck(
        before(arrivals, start + end) - before(arrivals, start),
        before(answers, start + end) - before(answers, start),
        backlog,
        1,
        0);
  }

  private static long before(List<Double> times, double time) {
    return Math.abs(Collections.binarySearch(times, time) + 1);
  }
}
