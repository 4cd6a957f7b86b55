package toystore.frontend;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingRange;
import toystore.platform.service.StartupException;

/// What the frontend may be told.
///
/// @param catalogTarget where the catalog is
/// @param orderTarget where the order service is
/// @param deadline what a call to a service may take
/// @param inFlight calls to one service in progress at once; the next one waits
/// @param waitTime how long it waits at most before its request is refused
/// @param bodyTime after this time a request's body must have arrived at 100 B/s; a single read
///   takes no longer
/// @param labReport the folder of the lab's latest report; absent: none is shown
@ConfigurationProperties("toystore.frontend")
public record FrontendSettings(
    @DefaultValue("static://127.0.0.1:9091") String catalogTarget,
    @DefaultValue("static://127.0.0.1:9092") String orderTarget,
    @DefaultValue("1s") Duration deadline,
    @DefaultValue("128") int inFlight,
    @DefaultValue("600ms") Duration waitTime,
    @DefaultValue("5s") Duration bodyTime,
    @Nullable Path labReport) {

  private static final Duration MIN_DURATION = Duration.ofMillis(10);
  private static final Duration MAX_DURATION = Duration.ofSeconds(60);

  public FrontendSettings {
    checkTarget("catalog-target", catalogTarget);
    checkTarget("order-target", orderTarget);
    checkDuration("deadline", deadline);
    SettingRange.check("toystore.frontend.in-flight", inFlight, 1, 100_000);
    checkDuration("wait-time", waitTime);
    checkDuration("body-time", bodyTime);
  }

  private static void checkTarget(String key, String target) {
    if (!target.matches(
        "static://[^\\s/:]+:\\d{1,5}|static://\\[[^\\s/]+\\]:\\d{1,5}|in-process:\\S+")) {
      throw outOfRange(key, "static://host:port or in-process:name", target);
    }
  }

  private static void checkDuration(String key, Duration duration) {
    if (duration.compareTo(MIN_DURATION) < 0 || duration.compareTo(MAX_DURATION) > 0) {
      throw outOfRange(key, "a duration from 10ms to 60s", duration.toMillis() + "ms");
    }
  }

  private static StartupException outOfRange(String key, String expected, Object actual) {
    return new StartupException(
        "setting toystore.frontend.%s must be %s, got \"%s\"".formatted(key, expected, actual));
  }
}
