package toystore.platform.service;

import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/// The [HostFilter] of the port for customers. That of a management port is in
/// [ManagementPortConfiguration].
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(ServerSettings.class)
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class HostFilterAutoConfiguration {
  @Bean
  HostFilter hostFilter(StoreServiceDescriptor service, ServerSettings settings) {
    return new HostFilter(settings.listen(), settings.hosts(), service.prefix() + ".hosts");
  }
}
