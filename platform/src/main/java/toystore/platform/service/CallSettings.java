package toystore.platform.service;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// What keeps the trouble of one service from becoming another's; the same for every service that
/// calls one.
///
/// @param inFlight calls to one service that may be under way; one more is refused at once
/// @param breakerWindow how many of the last calls the circuit breaker looks at
/// @param breakerFailureRate percent of them that must have stayed unanswered for it to open; below
///   100 an answer too may open it, when it is the one that makes the window full
/// @param breakerOpen how long it then refuses all calls before it lets one through to try
/// @param attempts how often a call with a client's own key is made at most
/// @param retryPause between the first two attempts, then twice as long each time
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

  BulkheadConfig refusingAtOnce() {
    return BulkheadConfig.custom()
        .maxConcurrentCalls(inFlight)
        .maxWaitDuration(Duration.ZERO)
        .fairCallHandlingStrategyEnabled(false)
        .build();
  }
}
