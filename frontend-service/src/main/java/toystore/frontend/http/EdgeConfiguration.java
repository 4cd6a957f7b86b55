package toystore.frontend.http;

import java.util.List;
import java.util.concurrent.Executor;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import toystore.frontend.FrontendSettings;

/// Puts the edge's parts into Spring MVC and Tomcat.
@Configuration(proxyBeanMethods = false)
final class EdgeConfiguration implements WebMvcConfigurer {
  private static final int MAX_REQUESTS = 1_200;

  private final RequestArguments arguments;

  EdgeConfiguration(RequestArguments arguments) {
    this.arguments = arguments;
  }

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(arguments);
  }

  @Override
  public void addReturnValueHandlers(List<HandlerMethodReturnValueHandler> handlers) {
    handlers.add(new AnswerWriter());
  }

  /// `/products/` is `/products`.
  @Bean
  UrlHandlerFilter trailingSlashes() {
    return UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build();
  }

  /// So many requests are taken up at once, each on a virtual thread; others wait unread in their
  /// connections. A request takes up to 70 kB of the heap while it waits for its body, for a
  /// service or for its reader, and as many as this fit.
  private static Executor boundedVirtualThreads() {
    var executor = new SimpleAsyncTaskExecutor("tomcat-handler-");
    executor.setVirtualThreads(true);
    executor.setConcurrencyLimit(MAX_REQUESTS);
    return executor;
  }

  /// The settings are asked for here so that they are checked before a port is opened.
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatEdge(FrontendSettings settings) {
    return tomcat -> {
      tomcat.addProtocolHandlerCustomizers(
          protocol -> protocol.setExecutor(boundedVirtualThreads()));
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
