package toystore.platform.service;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.platform.rpc.EnvelopeInterceptor;

/// Beans of every service; [ServiceProcess] adds this configuration.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({SharedSettings.class, DatabaseSettings.class})
@Import({
  EnvelopeInterceptor.class,
  AdministratorToken.class,
  AdministratorInterceptor.class,
  CallOrigin.class
})
class ServiceConfiguration {
  /// For services that call others.
  ///
  /// @param limits those of a test; otherwise [CallLimits#DEFAULTS]
  /// @param bulkhead that of a service that has its own; its calls may wait only if the calling
  ///   threads may block
  @Bean
  @Lazy
  PeerResilience resilience(
      StoreServiceDescriptor service,
      ObjectProvider<CallLimits> limits,
      ObjectProvider<BulkheadConfig> bulkhead,
      MeterRegistry metrics) {
    CallLimits calls = limits.getIfAvailable(() -> CallLimits.DEFAULTS);
    return new PeerResilience(
        service.name(), calls, bulkhead.getIfAvailable(calls::failFastBulkhead), metrics);
  }

  @Bean
  @Lazy
  PeerChannels peerChannels(
      GrpcChannelFactory factory, SharedSettings settings, PeerResilience resilience) {
    return new PeerChannels(factory, settings.deadline(), resilience);
  }
}
