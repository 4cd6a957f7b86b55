package toystore.frontend.audit;

import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import toystore.frontend.FrontendSettings;
import toystore.platform.service.PeerChannel;

/// The services that the frontend depends on, and the periodic audit. The bean names appear in
/// `/health` and in the probes. The audit report lists the services in this order.
@Configuration(proxyBeanMethods = false)
@EnableScheduling
final class AuditConfiguration {
  /// The first audit after a start reads all sales, so it waits until the store is running.
  private static final Duration MAX_INITIAL_DELAY = Duration.ofMinutes(1);

  @Bean
  PeerClient catalogHealthIndicator(PeerChannel catalogChannel, FrontendSettings settings) {
    return new PeerClient("catalog", settings.catalogTarget(), catalogChannel);
  }

  @Bean
  PeerClient orderHealthIndicator(PeerChannel orderChannel, FrontendSettings settings) {
    return new PeerClient("order", settings.orderTarget(), orderChannel);
  }

  @Bean
  PeerClient accountHealthIndicator(PeerChannel accountChannel, FrontendSettings settings) {
    return new PeerClient("account", settings.accountTarget(), accountChannel);
  }

  @Bean
  PeerClient exchangeHealthIndicator(PeerChannel exchangeChannel, FrontendSettings settings) {
    return new PeerClient("exchange", settings.exchangeTarget(), exchangeChannel);
  }

  @Bean
  SchedulingConfigurer auditSchedule(AuditEndpoint audit, FrontendSettings settings) {
    Duration interval = settings.auditInterval();
    Duration initialDelay =
        interval.compareTo(MAX_INITIAL_DELAY) < 0 ? interval : MAX_INITIAL_DELAY;
    return tasks -> {
      if (!interval.isZero()) {
        tasks.addFixedDelayTask(new FixedDelayTask(() -> run(audit), interval, initialDelay));
      }
    };
  }

  private static void run(AuditEndpoint audit) {
    try {
      audit.run(false);
    } catch (InterruptedException e) { // the frontend stops
      Thread.currentThread().interrupt();
    }
  }
}
