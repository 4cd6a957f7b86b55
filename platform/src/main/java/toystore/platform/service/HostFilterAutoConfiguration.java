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
    String setting = service.prefix() + ".hosts";
    return switch (service.protocol()) {
      case HTTP ->
          new HostFilter(
              settings.listen(), settings.hosts(), setting, HostFilter.Rejection.ERROR_PAGE);
      case GRPC ->
          new HostFilter(
              settings.managementListen(), settings.hosts(), setting, HostFilter.Rejection.TEXT);
    };
  }
}
