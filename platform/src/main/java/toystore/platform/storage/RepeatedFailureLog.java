package toystore.platform.storage;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Decides when a failure that repeats is logged: when its reason changes, and then once a minute.
/// One thread.
final class RepeatedFailureLog {
  private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private @Nullable String reason; // of the last failure; null: none since the last success
  private long loggedAt;

  RepeatedFailureLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /// Whether a failure is to be logged.
  boolean isDue(String current) {
    long now = nanoTime.getAsLong();
    if (current.equals(reason) && now - loggedAt < INTERVAL_NANOS) {
      return false;
    }
    reason = current;
    loggedAt = now;
    return true;
  }

  /// Whether the end of failures is to be logged.
  boolean endIsDue() {
    boolean failed = reason != null;
    reason = null;
    return failed;
  }
}
