package toystore.platform.service;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.filter.UrlHandlerFilter;

/// The web server of a management port. In a gRPC service, it is the only one; the frontend has a
/// second one for it, with a context of its own.
@ManagementContextConfiguration(value = ManagementContextType.ANY, proxyBeanMethods = false)
@ConditionalOnBean(ServerSettings.class)
class ManagementPortConfiguration {
  @Bean
  HostFilter managementHostFilter(StoreServiceDescriptor service, ServerSettings settings) {
    return new HostFilter(
        settings.managementListen(), settings.hosts(), ServerSettings.hostsSetting(service));
  }

  /// Treats `/health/` as `/health`.
  @Bean
  UrlHandlerFilter managementTrailingSlashFilter() {
    return UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build();
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> managementErrors() {
    return tomcat ->
        tomcat.addContextCustomizers(context -> {
          var host = (StandardHost) context.getParent();
          host.setErrorReportValveClass("");
          host.getPipeline().addValve(new ManagementErrorValve());
        });
  }
}
