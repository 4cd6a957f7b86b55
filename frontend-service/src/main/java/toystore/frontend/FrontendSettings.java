package toystore.frontend;

import static toystore.common.RootLocale.format;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingCheck;
import toystore.platform.service.StartupException;

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
/// @param auditInterval time between two audits; 0: no periodic audit
@ConfigurationProperties("toystore.frontend")
public record FrontendSettings(
    @DefaultValue("static://127.0.0.1:9091") String catalogTarget,
    @DefaultValue("static://127.0.0.1:9092") String orderTarget,
    @DefaultValue("static://127.0.0.1:9093") String accountTarget,
    @DefaultValue("static://127.0.0.1:9094") String exchangeTarget,
    @DefaultValue("cached") Reads reads,
    @DefaultValue("10000") int cacheSize,
    @DefaultValue("10m") Duration auditInterval) {

  /// Where queries of a product are answered.
  public enum Reads {
    DIRECT,
    CACHED
  }

  public FrontendSettings {
    SettingCheck.target("toystore.frontend.catalog-target", catalogTarget);
    SettingCheck.target("toystore.frontend.order-target", orderTarget);
    SettingCheck.optionalTarget("toystore.frontend.account-target", accountTarget);
    SettingCheck.optionalTarget("toystore.frontend.exchange-target", exchangeTarget);
    SettingCheck.range("toystore.frontend.cache-size", cacheSize, 1, 1_000_000);
    if (!auditInterval.isZero()
        && (auditInterval.compareTo(Duration.ofSeconds(1)) < 0
            || auditInterval.compareTo(Duration.ofHours(24)) > 0)) {
      throw new StartupException(
          format(
              "setting toystore.frontend.audit-interval must be 0 or a duration from 1s to 24h, got \"%dms\"",
              auditInterval.toMillis()));
    }
  }
}
