package toystore.platform.service;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.context.annotation.Bean;

/// The [HostFilter] of a management port that has a context of its own, which is a child of the
/// service's context.
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
class ManagementHostFilterConfiguration {
  @Bean
  HostFilter hostFilter(ServiceManifest service, ServerSettings settings) {
    return new HostFilter(
        settings.managementListen(),
        settings.hosts(),
        service.prefix() + ".hosts",
        HostFilter.Rejection.TEXT);
  }
}
