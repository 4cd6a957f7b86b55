package toystore.platform.service;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Limits of calls to other services. They keep a failing peer from blocking its callers. Every
/// calling service has the same settings.
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
@ConfigurationProperties("toystore.calls")
public record CallSettings(
    @DefaultValue("500") int inFlight,
    @DefaultValue("5") int breakerWindow,
    @DefaultValue("100") int breakerFailureRate,
    @DefaultValue("1s") Duration breakerOpen,
    @DefaultValue("3") int attempts,
    @DefaultValue("20ms") Duration retryPause) {
  public CallSettings {
    SettingRange.check("toystore.calls.in-flight", inFlight, 1, 100_000);
    SettingRange.check("toystore.calls.breaker-window", breakerWindow, 1, 10_000);
    SettingRange.check("toystore.calls.breaker-failure-rate", breakerFailureRate, 1, 100);
    SettingRange.check("toystore.calls.breaker-open (in ms)", breakerOpen.toMillis(), 10, 60_000);
    SettingRange.check("toystore.calls.attempts", attempts, 1, 10);
    SettingRange.check("toystore.calls.retry-pause (in ms)", retryPause.toMillis(), 1, 1_000);
  }

  BulkheadConfig failFastBulkhead() {
    return BulkheadConfig.custom()
        .maxConcurrentCalls(inFlight)
        .maxWaitDuration(Duration.ZERO)
        .fairCallHandlingStrategyEnabled(false)
        .build();
  }
}
