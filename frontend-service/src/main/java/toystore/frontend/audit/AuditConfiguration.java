package toystore.frontend.audit;

import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import toystore.frontend.FrontendSettings;
import toystore.platform.service.Channel;

/// The services the frontend needs to be ready, by the names that `/health` and its probes show; an
/// audit asks them in this order.
@Configuration(proxyBeanMethods = false)
final class AuditConfiguration {
  @Bean
  Peer catalogHealthIndicator(Channel catalogChannel, FrontendSettings settings) {
    return new Peer(
        new PeerClient("catalog", catalogChannel),
        "toystore.frontend.catalog-target",
        settings.catalogTarget());
  }

  @Bean
  Peer orderHealthIndicator(Channel orderChannel, FrontendSettings settings) {
    return new Peer(
        new PeerClient("order", orderChannel),
        "toystore.frontend.order-target",
        settings.orderTarget());
  }

  /// Plain JSON on the management port, too.
  @Bean
  EndpointMediaTypes endpointMediaTypes() {
    return new EndpointMediaTypes(MediaType.APPLICATION_JSON_VALUE);
  }
}
