package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RepeatedFailureLogTest {
  private final AtomicLong now = new AtomicLong();
  private final RepeatedFailureLog failures = new RepeatedFailureLog(now::get);

  @Test
  void failureIsLoggedWhenItChangesAndOnceAMinute() {
    assertThat(failures.isDue("no login")).isTrue();
    assertThat(failures.isDue("no login")).isFalse();
    assertThat(failures.isDue("no database")).isTrue();
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(failures.isDue("no database")).isFalse();
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(failures.isDue("no database")).isTrue();
  }

  @Test
  void endOfFailuresIsLoggedOnce() {
    assertThat(failures.endIsDue()).isFalse();
    assertThat(failures.isDue("no login")).isTrue();
    assertThat(failures.endIsDue()).isTrue();
    assertThat(failures.endIsDue()).isFalse();
    assertThat(failures.isDue("no login")).isTrue();
  }
}
