package toystore.platform.service;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;

/// Limits of calls to other services. They keep a failing peer from blocking its callers.
///
/// @param inFlight maximum number of concurrent calls to one service; further calls are rejected
///   immediately
/// @param breakerWindow number of recent calls that the circuit breaker evaluates
/// @param breakerFailureRate percentage of unanswered calls in the window that opens the circuit;
///   below 100, an answered call can also open it if that call fills the window
/// @param breakerOpen time for which an open circuit rejects all calls before it permits one trial
///   call
/// @param attempts maximum number of attempts of a call with a client's own idempotency key
/// @param retryPause pause between the first two attempts; each further pause is twice as long
public record CallLimits(
    int inFlight,
    int breakerWindow,
    int breakerFailureRate,
    Duration breakerOpen,
    int attempts,
    Duration retryPause) {
  public static final CallLimits DEFAULTS =
      new CallLimits(500, 5, 100, Duration.ofSeconds(1), 3, Duration.ofMillis(20));

  BulkheadConfig failFastBulkhead() {
    return BulkheadConfig.custom()
        .maxConcurrentCalls(inFlight)
        .maxWaitDuration(Duration.ZERO)
        .fairCallHandlingStrategyEnabled(false)
        .build();
  }
}
