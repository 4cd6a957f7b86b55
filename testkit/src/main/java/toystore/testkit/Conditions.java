package toystore.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/// Waits for conditions, with [Awaitility]. A condition that throws ends the waiting at once.
public final class Conditions {
  private static final Duration AT_MOST = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private Conditions() {}

  /// Waits for a condition, 60 s at most.
  public static void await(Callable<Boolean> condition) {
    patiently().until(condition);
  }

  /// The same for Awaitility's other forms.
  public static ConditionFactory patiently() {
    return Awaitility.await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(POLL_INTERVAL)
        .atMost(AT_MOST);
  }
}
