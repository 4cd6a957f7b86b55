package toystore.payment;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.ServiceProcess;

/// The Spring application of the payment service. Beans are declared before the beans that use
/// them.
@SpringBootApplication(proxyBeanMethods = false)
@Import(DatabaseConfiguration.class)
@EnableConfigurationProperties(PaymentSettings.class)
public class PaymentApplication {
  public static final String NAME = "payment-service";
  public static final Class<? extends Record> SETTINGS = PaymentSettings.class;

  public static void main(String[] args) {
    ServiceProcess.run(PaymentApplication.class, NAME, SETTINGS, args);
  }
}
