package toystore.frontend;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.platform.service.PeerChannel;
import toystore.platform.service.PeerResilience;
import toystore.platform.service.ServiceProcess;

/// The frontend as a Spring application. Errors have a format of their own, so Boot's error page is
/// left out.
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class)
@EnableConfigurationProperties(FrontendSettings.class)
public class FrontendApplication {
  public static final String NAME = "frontend-service";
  public static final Class<? extends Record> SETTINGS = FrontendSettings.class;

  public static void main(String[] args) {
    ServiceProcess.run(FrontendApplication.class, NAME, SETTINGS, args);
  }

  /// The limit of work: so many calls to each service at once, the rest wait in the order in which
  /// they came, on virtual threads. A call holds its place from when its request was read until its
  /// answer is there, so neither a slow sender nor a slow reader holds one. An answer that lasts (a
  /// stream of events) is asked for on [PeerChannel#unguarded] and is no part of the limit.
  @Bean
  BulkheadConfig bulkheadConfig(FrontendSettings settings) {
    return BulkheadConfig.custom()
        .maxConcurrentCalls(settings.inFlight())
        .maxWaitDuration(settings.waitTime())
        .fairCallHandlingStrategyEnabled(true)
        .build();
  }

  @Bean
  PeerChannel catalogChannel(
      GrpcChannelFactory channels, FrontendSettings settings, PeerResilience resilience) {
    return PeerChannel.open(
        channels, "catalog", settings.catalogTarget(), settings.deadline(), resilience);
  }

  @Bean
  PeerChannel orderChannel(
      GrpcChannelFactory channels, FrontendSettings settings, PeerResilience resilience) {
    return PeerChannel.open(
        channels, "order", settings.orderTarget(), settings.deadline(), resilience);
  }

  @Bean
  InstantSource clock() {
    return InstantSource.system();
  }
}
