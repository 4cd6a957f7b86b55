package toystore.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import toystore.lab.stats.OpenLoopCheck.Overloaded;
import toystore.lab.stats.OpenLoopCheck.Valid;
import toystore.lab.stats.OpenLoopCheck.VoidRun;
import toystore.lab.stats.OpenLoopCheck.Window;

class OpenLoopCheckTest {
  private static final List<Integer> STEADY = List.of(3, 5, 2, 4, 3, 5, 2, 4);

  @Test
  void steadyWindowIsValid() {
    assertThat(OpenLoopCheck.of(new Window(1_000, 980, STEADY, 800, 80))).isEqualTo(new Valid());
  }

  @Test
  void windowThatCompletesTooLittleIsOverloaded() {
    assertThat(OpenLoopCheck.of(new Window(1_000, 979, STEADY, 800, 80)))
        .isEqualTo(new Overloaded("completed 979 of 1000 calls, expected at least 98 %"));
  }

  @Test
  void growingBacklogIsOverloaded() {
    var growing = IntStream.rangeClosed(0, 20).mapToObj(i -> 5 * i).toList();
    assertThat(OpenLoopCheck.of(new Window(10_000, 9_900, growing, 800, 80)))
        .isEqualTo(
            new Overloaded(
                "backlog grew to 100 calls, expected at most 75 (1.5 times its mean, or 20)"));
    assertThat(OpenLoopCheck.of(new Window(10_000, 9_900, growing.reversed(), 800, 80)))
        .isEqualTo(new Valid());
  }

  @Test
  void smallBacklogMayGrow() {
    assertThat(OpenLoopCheck.of(new Window(1_000, 990, List.of(0, 1, 2, 10, 20), 800, 80)))
        .isEqualTo(new Valid());
  }

  @Test
  void lateSendsVoidTheRun() {
    assertThat(OpenLoopCheck.of(new Window(1_000, 500, STEADY, 800, 81)))
        .isEqualTo(
            new VoidRun(
                "sends were late: p99 of lateness is 81 µs, expected at most 80 µs (10 % of the"
                    + " median latency)"));
  }
}
