package toystore.platform.service;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/// What every service has; [ServiceProcess] brings it.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({StoreSettings.class, CallSettings.class})
class ServiceConfiguration {
  /// For services that have an administrator, or call one as such.
  @Bean
  @Lazy
  AdministratorToken administratorToken(StoreSettings settings) {
    return new AdministratorToken(settings);
  }

  @Bean
  @Lazy
  AdministratorInterceptor administratorOnly(AdministratorToken token) {
    return new AdministratorInterceptor(token);
  }

  /// For services that call others.
  ///
  /// @param limit of calls in progress, where a service has its own: calls may wait only where its
  ///   threads may block
  @Bean
  @Lazy
  PeerResilience resilience(
      ServiceDescriptor service,
      CallSettings settings,
      ObjectProvider<BulkheadConfig> limit,
      MeterRegistry metrics) {
    return new PeerResilience(
        service.name(), settings, limit.getIfAvailable(settings::refusingAtOnce), metrics);
  }
}
