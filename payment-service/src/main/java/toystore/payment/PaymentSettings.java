package toystore.payment;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingRange;

/// Settings of the payment service.
///
/// @param queue capacity of the writer's queue, 1 to 1,000,000
/// @param batch maximum number of commands in a batch, 1 to 10,000
@ConfigurationProperties("toystore.payment")
record PaymentSettings(@DefaultValue("10000") int queue, @DefaultValue("500") int batch) {
  PaymentSettings {
    SettingRange.check("toystore.payment.queue", queue, 1, 1_000_000);
    SettingRange.check("toystore.payment.batch", batch, 1, 10_000);
  }
}
