package toystore.frontend;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.webmvc.autoconfigure.WebMvcObservationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.EndedSessionsClient;
import toystore.platform.service.PeerChannel;
import toystore.platform.service.PeerChannels;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.SessionCacheClient;
import toystore.platform.service.SessionWatch;

/// The Spring application of the frontend. It has its own metrics of requests, so Boot's are
/// excluded.
@SpringBootApplication(exclude = WebMvcObservationAutoConfiguration.class)
@EnableConfigurationProperties(FrontendSettings.class)
public class FrontendApplication {
  public static final String NAME = "frontend-service";
  public static final Class<? extends Record> SETTINGS = FrontendSettings.class;

  private static final int MAX_CALLS = 128;

  /// Maximum time that a call waits for a permit; then its request is refused with 503.
  private static final Duration MAX_WAIT = Duration.ofMillis(600);

  public static void main(String[] args) {
    ServiceProcess.run(FrontendApplication.class, NAME, SETTINGS, args);
  }

  /// Limits concurrent calls to each service. Further calls wait in FIFO order, on virtual threads.
  /// A call holds a permit after its HTTP request was read and until its gRPC answer arrived, so
  /// slow senders and slow readers hold no permit. Long streams use
  /// [PeerChannel#withoutCircuitBreaker] and are not limited. A test may have its own.
  @Bean
  @Fallback
  BulkheadConfig bulkheadConfig() {
    return BulkheadConfig.custom()
        .maxConcurrentCalls(MAX_CALLS)
        .maxWaitDuration(MAX_WAIT)
        .fairCallHandlingStrategyEnabled(true)
        .build();
  }

  @Bean
  PeerChannel catalogChannel(PeerChannels channels, FrontendSettings settings) {
    return channels.to("catalog", settings.catalogTarget());
  }

  @Bean
  PeerChannel orderChannel(PeerChannels channels, FrontendSettings settings) {
    return channels.to("order", settings.orderTarget());
  }

  @Bean
  PeerChannel accountChannel(PeerChannels channels, FrontendSettings settings) {
    return channels.to("account", settings.accountTarget());
  }

  @Bean
  SessionCacheClient sessionCacheClient(
      PeerChannel accountChannel, AdministratorToken token, MeterRegistry registry) {
    return new SessionCacheClient(accountChannel, token, registry);
  }

  @Bean
  SessionWatch sessionWatch(PeerChannel accountChannel, AdministratorToken token) {
    return new SessionWatch(new EndedSessionsClient(accountChannel, token));
  }

  @Bean
  PeerChannel exchangeChannel(PeerChannels channels, FrontendSettings settings) {
    return channels.to("exchange", settings.exchangeTarget());
  }
}
