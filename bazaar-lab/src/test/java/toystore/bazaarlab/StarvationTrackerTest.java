package toystore.bazaarlab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StarvationTrackerTest {
  private final StarvationTracker answers = new StarvationTracker(3);

  @Test
  void clientWithoutAnswerWhenAnotherLeavesHasStarved() {
    answers.answered(0, 1_000_000);
    answers.leave(0, _ -> false);
    answers.answered(1, 7_500_000);
    answers.leave(1, _ -> false);
    answers.answered(2, 9_000_000);
    assertThat(answers.starved()).isEqualTo(2);
    assertThat(answers.longestMillis()).isEqualTo(9.0);
  }

  @Test
  void clientWithAnswerInTransitHasNotStarved() {
    answers.answered(0, 1_000_000);
    answers.answered(1, 1_000_000);
    answers.leave(0, other -> other == 2);
    answers.answered(2, 50_000_000);
    assertThat(answers.starved()).isZero();
  }

  @Test
  void leavingClientDoesNotStarve() {
    var alone = new StarvationTracker(1);
    alone.answered(0, 1_000);
    alone.leave(0, _ -> false);
    assertThat(alone.starved()).isZero();
  }
}
