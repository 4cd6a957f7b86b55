package toystore.service.watch;

import io.grpc.ClientInterceptor;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.client.GlobalClientInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;

/// What every service is watched by.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({TracingSettings.class, TracingSettings.Sampling.class})
public class WatchConfiguration {
  @Bean
  Tracing tracing(
      @Value("${spring.config.name}") String service,
      TracingSettings settings,
      TracingSettings.Sampling sampling) {
    return settings.open(service, sampling);
  }

  @Bean
  @GlobalServerInterceptor
  ServerInterceptor serverWatch(MeterRegistry registry, Tracing tracing) {
    return new ServerWatch(CallMeters.served(registry), tracing);
  }

  @Bean
  @GlobalClientInterceptor
  ClientInterceptor clientWatch(MeterRegistry registry) {
    return new ClientWatch(CallMeters.asked(registry));
  }
}
