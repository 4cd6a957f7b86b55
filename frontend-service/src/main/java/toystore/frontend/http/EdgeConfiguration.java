package toystore.frontend.http;

import java.util.List;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import toystore.frontend.FrontendSettings;

/// Puts the edge's parts into Spring MVC and Tomcat.
@Configuration(proxyBeanMethods = false)
final class EdgeConfiguration implements WebMvcConfigurer {
  private final ApiArgumentResolver argumentResolver;

  EdgeConfiguration(ApiArgumentResolver argumentResolver) {
    this.argumentResolver = argumentResolver;
  }

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(argumentResolver);
  }

  @Override
  public void addReturnValueHandlers(List<HandlerMethodReturnValueHandler> handlers) {
    handlers.add(new HttpResponseWriter());
  }

  /// `/products/` is `/products`.
  @Bean
  UrlHandlerFilter trailingSlashFilter() {
    return UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build();
  }

  /// The settings are asked for here so that they are checked before a port is opened.
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatCustomizer(
      FrontendSettings settings, RequestLimiter limiter) {
    return tomcat -> {
      tomcat.addProtocolHandlerCustomizers(protocol -> protocol.setExecutor(limiter));
      tomcat.addConnectorCustomizers(connector -> {
        // a backslash may stand in a product's name, and no form is ever read
        connector.setEncodedReverseSolidusHandling("passthrough");
        connector.setParseBodyMethods("");
        // "100 Continue" is said when a body is read: one announced too large is not asked for
        connector.setProperty("continueResponseTiming", "onRead");
        // what each connection has of its own, whether or not anything is asked on it
        connector.setProperty("socket.appReadBufSize", "2048");
        connector.setProperty("socket.appWriteBufSize", "4096");
      });
      tomcat.addContextCustomizers(context -> {
        var host = (StandardHost) context.getParent();
        host.setErrorReportValveClass("");
        host.getPipeline().addValve(new ErrorValve());
      });
    };
  }
}
