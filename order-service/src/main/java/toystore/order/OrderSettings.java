package toystore.order;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingCheck;

/// Settings of the order service.
///
/// @param catalogTarget address of the catalog: `static://host:port` or `in-process:name`
/// @param accountTarget address of the account service, in the same format; empty: there is none
/// @param paymentTarget address of the payment service, in the same format; empty: there is none
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
