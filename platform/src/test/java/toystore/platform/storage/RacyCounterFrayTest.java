package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.pastalab.fray.junit.plain.FrayInTestLauncher;
import toystore.clients.Concurrently;

/// Checks that the schedule tests run under Fray: it finds a lost update.
@Tag("long")
class RacyCounterFrayTest {
  private volatile int count;

  @Test
  void lostUpdateIsFound() {
    assertThatThrownBy(() -> FrayInTestLauncher.INSTANCE.launchFrayTest(this::countTwice))
        .isInstanceOf(AssertionError.class);
  }

  private void countTwice() {
    count = 0;
    Concurrently.run(this::increment, this::increment);
    assertThat(count).isEqualTo(2);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // the planted mistake
  private void increment() {
    count++;
  }
}
