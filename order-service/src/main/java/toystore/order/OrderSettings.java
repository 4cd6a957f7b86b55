package toystore.order;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingRange;

/// The order service's own settings.
///
/// @param catalogTarget where the catalog is: `static://host:port` or `in-process:name`
/// @param deadline of a call to the catalog that serves none with a deadline, 10 ms to 60 s
/// @param recent orders that are remembered beside the book on disk
@ConfigurationProperties("toystore.order")
record OrderSettings(
    @DefaultValue("static://127.0.0.1:9091") String catalogTarget,
    @DefaultValue("1s") Duration deadline,
    @DefaultValue("10000") int recent) {
  OrderSettings {
    SettingRange.check("toystore.order.deadline (in ms)", deadline.toMillis(), 10, 60_000);
    SettingRange.check("toystore.order.recent", recent, 0, 1_000_000);
  }
}
