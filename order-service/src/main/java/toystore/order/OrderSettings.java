package toystore.order;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingCheck;

/// @param catalogTarget `static://host:port` or `in-process:name`
/// @param accountTarget in the same format; empty: there is none
/// @param paymentTarget in the same format; empty: there is none
@ConfigurationProperties("toystore.order")
public record OrderSettings(
    @DefaultValue("static://127.0.0.1:9091") String catalogTarget,
    @DefaultValue("static://127.0.0.1:9093") String accountTarget,
    @DefaultValue("static://127.0.0.1:9095") String paymentTarget) {
  public OrderSettings {
    SettingCheck.target("toystore.order.catalog-target", catalogTarget);
    SettingCheck.optionalTarget("toystore.order.account-target", accountTarget);
    SettingCheck.optionalTarget("toystore.order.payment-target", paymentTarget);
  }
}
