package toystore.frontend.http;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.filter.UrlHandlerFilter;
import toystore.platform.service.ServerSettings;
import toystore.platform.service.StoreServiceDescriptor;

/// The web server of the management port, which has a context of its own. `META-INF/spring` names
/// this class for Spring Boot. It has no annotation, because the scan of components would add it to
/// the port for customers.
class ManagementPortConfiguration {
  @Bean
  UrlHandlerFilter managementTrailingSlashFilter() {
    return UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build();
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> managementErrors(
      StoreServiceDescriptor service, ServerSettings server) {
    return tomcat ->
        WebConfiguration.addErrorValve(tomcat, true, server.allowedManagementHosts(service));
  }
}
