package toystore.frontend;

import java.time.Duration;
import java.util.Locale;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingRange;
import toystore.platform.service.StartupException;
import toystore.platform.service.TargetSetting;

/// Settings of the frontend.
///
/// @param catalogTarget address of the catalog: `static://host:port` or `in-process:name`
/// @param orderTarget address of the order service, in the same format
/// @param accountTarget address of the account service, in the same format; empty: there is none
/// @param exchangeTarget address of the exchange, in the same format; empty: there is none
/// @param reads whether queries of a product are answered from the product cache (`cached`) or each
///   goes to the catalog (`direct`)
/// @param cacheSize maximum number of products in the product cache, 1 to 1,000,000; each takes
///   about 400 bytes
/// @param deadline deadline of a call to a service, 10 ms to 60 s
/// @param purchaseDeadline deadline of a purchase, which waits for the payment service, 1 s to 60 s
/// @param inFlight maximum number of concurrent calls to one service; further calls wait
/// @param waitTime maximum time that a call waits before its request is refused with 503
/// @param bodyTime grace period after which a request body must arrive at 100 B/s or more; also the
///   timeout of a single read
/// @param auditInterval time between two audits; 0: no periodic audit
@ConfigurationProperties("toystore.frontend")
public record FrontendSettings(
    @DefaultValue("static://127.0.0.1:9091") String catalogTarget,
    @DefaultValue("static://127.0.0.1:9092") String orderTarget,
    @DefaultValue("static://127.0.0.1:9093") String accountTarget,
    @DefaultValue("static://127.0.0.1:9094") String exchangeTarget,
    @DefaultValue("cached") Reads reads,
    @DefaultValue("10000") int cacheSize,
    @DefaultValue("3s") Duration deadline,
    @DefaultValue("10s") Duration purchaseDeadline,
    @DefaultValue("128") int inFlight,
    @DefaultValue("600ms") Duration waitTime,
    @DefaultValue("5s") Duration bodyTime,
    @DefaultValue("10m") Duration auditInterval) {

  /// Where queries of a product are answered.
  public enum Reads {
    DIRECT,
    CACHED
  }

  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofSeconds(60);

  public FrontendSettings {
    TargetSetting.check("toystore.frontend.catalog-target", catalogTarget);
    TargetSetting.check("toystore.frontend.order-target", orderTarget);
    TargetSetting.checkOptional("toystore.frontend.account-target", accountTarget);
    TargetSetting.checkOptional("toystore.frontend.exchange-target", exchangeTarget);
    check("deadline", deadline, SHORTEST, LONGEST, "a duration from 10ms to 60s");
    Duration second = Duration.ofSeconds(1);
    check("purchase-deadline", purchaseDeadline, second, LONGEST, "a duration from 1s to 60s");
    SettingRange.check("toystore.frontend.cache-size", cacheSize, 1, 1_000_000);
    SettingRange.check("toystore.frontend.in-flight", inFlight, 1, 100_000);
    check("wait-time", waitTime, SHORTEST, LONGEST, "a duration from 10ms to 60s");
    check("body-time", bodyTime, SHORTEST, LONGEST, "a duration from 10ms to 60s");
    if (!auditInterval.isZero()) {
      Duration day = Duration.ofHours(24);
      check("audit-interval", auditInterval, second, day, "0 or a duration from 1s to 24h");
    }
  }

  private static void check(
      String key, Duration value, Duration min, Duration max, String expected) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new StartupException(
          String.format(
              Locale.ROOT,
              "setting toystore.frontend.%s must be %s, got \"%dms\"",
              key,
              expected,
              value.toMillis()));
    }
  }
}
