package toystore.order;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingRange;

/// Settings of the order service.
///
/// @param catalogTarget address of the catalog: `static://host:port` or `in-process:name`
/// @param accountTarget address of the account service, in the same format
/// @param paymentTarget address of the payment service, in the same format
/// @param deadline for calls to other services that inherit no deadline, 10 ms to 60 s
/// @param recent maximum number of orders cached in memory, 0 to 1,000,000
@ConfigurationProperties("toystore.order")
record OrderSettings(
    @DefaultValue("static://127.0.0.1:9091") String catalogTarget,
    @DefaultValue("static://127.0.0.1:9093") String accountTarget,
    @DefaultValue("static://127.0.0.1:9095") String paymentTarget,
    @DefaultValue("1s") Duration deadline,
    @DefaultValue("10000") int recent) {
  OrderSettings {
    SettingRange.check("toystore.order.deadline (in ms)", deadline.toMillis(), 10, 60_000);
    SettingRange.check("toystore.order.recent", recent, 0, 1_000_000);
  }
}
