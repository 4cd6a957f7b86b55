package toystore.payment;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Locale;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import toystore.payment.domain.Payment;
import toystore.payment.domain.SandboxFaults;
import toystore.payment.storage.PaymentAudit;
import toystore.payment.storage.PaymentBatches;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.DatabaseSettings;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.Database;
import toystore.platform.storage.ReadPool;

/// Beans are declared before those that use them.
@SpringBootApplication(proxyBeanMethods = false)
@Import(DatabaseConfiguration.class)
public class PaymentApplication {
  public static final String NAME = "payment-service";
  public static final Class<? extends Record> SETTINGS = DatabaseSettings.class; // none of its own

  public static void main(String[] args) {
    ServiceProcess.run(PaymentApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  PaymentBatches paymentBatches(Database database, MeterRegistry registry) {
    var batches = new PaymentBatches(database, InstantSource.system());
    for (Payment.State state : Payment.State.values()) {
      FunctionCounter.builder("toystore.payments", batches, it -> it.transitionsTo(state))
          .description("Committed transitions of payments to a state since the start")
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    return batches;
  }

  @Bean
  SandboxFaults sandboxFaults() {
    return new SandboxFaults();
  }

  @Bean
  PaymentAudit paymentAudit(@Qualifier("auditReader") ReadPool reader) {
    return new PaymentAudit(reader);
  }
}
