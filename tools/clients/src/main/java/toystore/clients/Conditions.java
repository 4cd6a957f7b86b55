package toystore.clients;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/// Waits for conditions, with [Awaitility]. An exception in a condition ends the wait immediately.
public final class Conditions {
  private static final Duration AT_MOST = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private Conditions() {}

  /// Waits for a condition, at most 60 s.
  public static void await(Callable<Boolean> condition) {
    patiently().until(condition);
  }

  /// Returns a wait of at most 60 s, for the other methods of Awaitility.
  public static ConditionFactory patiently() {
    return Awaitility.await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(POLL_INTERVAL)
        .atMost(AT_MOST);
  }
}
