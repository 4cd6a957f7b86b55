package toystore.service.watch;

import io.grpc.ClientInterceptor;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.client.GlobalClientInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;

/// What every service is watched by.
@Configuration(proxyBeanMethods = false)
public class WatchConfiguration {
  @Bean
  @GlobalServerInterceptor
  ServerInterceptor serverWatch(MeterRegistry registry) {
    return new ServerWatch(CallMeters.served(registry));
  }

  @Bean
  @GlobalClientInterceptor
  ClientInterceptor clientWatch(MeterRegistry registry) {
    return new ClientWatch(CallMeters.asked(registry));
  }
}
