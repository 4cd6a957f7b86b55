package toystore.frontend.audit;

import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import toystore.frontend.FrontendSettings;
import toystore.platform.service.PeerChannel;

/// The services the frontend needs to be ready, by the names that `/health` and its probes show; an
/// audit asks them in this order.
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

  /// Plain JSON on the management port, too.
  @Bean
  EndpointMediaTypes endpointMediaTypes() {
    return new EndpointMediaTypes(MediaType.APPLICATION_JSON_VALUE);
  }
}
