package toystore.frontend.audit;

import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import toystore.frontend.FrontendSettings;
import toystore.platform.service.PeerChannel;

/// The services that the frontend depends on. The bean names appear in `/health` and in the probes.
/// The audit report lists the services in this order.
@Configuration(proxyBeanMethods = false)
final class AuditConfiguration {
  @Bean
  PeerClient catalogHealthIndicator(PeerChannel catalogChannel, FrontendSettings settings) {
    return new PeerClient("catalog", settings.catalogTarget(), catalogChannel);
  }

  @Bean
  PeerClient orderHealthIndicator(PeerChannel orderChannel, FrontendSettings settings) {
    return new PeerClient("order", settings.orderTarget(), orderChannel);
  }

  /// The management port answers with `application/json`, without the media types of the actuator.
  @Bean
  EndpointMediaTypes endpointMediaTypes() {
    return new EndpointMediaTypes(MediaType.APPLICATION_JSON_VALUE);
  }
}
