package toystore.platform.service;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/// The [HostFilter] of the web server in a service's own context: the port for customers, or the
/// management port of a gRPC service.
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(ServerSettings.class)
class HostFilterAutoConfiguration {
  @Bean
  HostFilter hostFilter(ServiceManifest service, ServerSettings settings) {
    String listen =
        switch (service.protocol()) {
          case HTTP -> settings.listen();
          case GRPC -> settings.managementListen();
        };
    return new HostFilter(listen, settings.hosts(), service.prefix() + ".hosts");
  }
}
