package toystore.order;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingRange;
import toystore.platform.service.TargetSetting;

/// Settings of the order service.
///
/// @param catalogTarget address of the catalog: `static://host:port` or `in-process:name`
/// @param accountTarget address of the account service, in the same format; empty: there is none
/// @param paymentTarget address of the payment service, in the same format; empty: there is none
/// @param deadline for calls to other services that inherit no deadline, 10 ms to 60 s
/// @param cartSweepInterval interval between two searches for unsaved carts of sessions that ended,
///   1 s to 24 h; 0: none
/// @param paymentDeadline for one attempt of a call that a purchase makes to the payment service or
///   to the catalog, 10 ms to 60 s
/// @param authoriseFor time for which an authorisation whose answer is missing is repeated, 0 to 10
///   min
@ConfigurationProperties("toystore.order")
record OrderSettings(
    @DefaultValue("static://127.0.0.1:9091") String catalogTarget,
    @DefaultValue("static://127.0.0.1:9093") String accountTarget,
    @DefaultValue("static://127.0.0.1:9095") String paymentTarget,
    @DefaultValue("1s") Duration deadline,
    @DefaultValue("1h") Duration cartSweepInterval,
    @DefaultValue("5s") Duration paymentDeadline,
    @DefaultValue("30s") Duration authoriseFor) {
  OrderSettings {
    TargetSetting.check("toystore.order.catalog-target", catalogTarget);
    TargetSetting.checkOptional("toystore.order.account-target", accountTarget);
    TargetSetting.checkOptional("toystore.order.payment-target", paymentTarget);
    SettingRange.check("toystore.order.deadline (in ms)", deadline.toMillis(), 10, 60_000);
    if (!cartSweepInterval.isZero()) {
      SettingRange.check(
          "toystore.order.cart-sweep-interval (in s)", cartSweepInterval.toSeconds(), 1, 86_400);
    }
    SettingRange.check(
        "toystore.order.payment-deadline (in ms)", paymentDeadline.toMillis(), 10, 60_000);
    SettingRange.check("toystore.order.authorise-for (in ms)", authoriseFor.toMillis(), 0, 600_000);
  }
}
