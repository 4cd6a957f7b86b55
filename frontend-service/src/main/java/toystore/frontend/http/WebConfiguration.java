package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.function.Function;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.filter.RequestContextFilter;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import toystore.frontend.FrontendSettings;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.paging.PageQuery;
import toystore.platform.service.AllowedHosts;
import toystore.platform.service.ServerSettings;
import toystore.platform.service.StoreServiceDescriptor;

/// Registers the parts of this package in Spring MVC and Tomcat.
@Configuration(proxyBeanMethods = false)
final class WebConfiguration implements WebMvcConfigurer {
  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(new RequestArgumentResolver<>(IdempotencyKey.class, WebConfiguration::key));
    // as a model attribute, it took a tenth of the CPU time of a search
    resolvers.add(new RequestArgumentResolver<>(PageQuery.class, WebConfiguration::page));
  }

  /// The key of a POST request; that of a form is a `@RequestParam`.
  private static IdempotencyKey key(HttpServletRequest request) {
    return request.getAttribute(IdempotencyKey.HEADER) instanceof IdempotencyKey key
        ? key
        : IdempotencyKey.of(request);
  }

  private static PageQuery page(HttpServletRequest request) {
    return new PageQuery(parameter(request, "after"), parameter(request, "limit"));
  }

  /// Like `@RequestParam`: the values of a parameter that is repeated are joined.
  private static String parameter(HttpServletRequest request, String name) {
    String[] values = request.getParameterValues(name);
    return values == null ? "" : String.join(",", values);
  }

  /// Resolves a parameter of a controller method that has this type and no annotation.
  private record RequestArgumentResolver<T>(Class<T> type, Function<HttpServletRequest, T> read)
      implements HandlerMethodArgumentResolver {
    @Override
    public boolean supportsParameter(MethodParameter parameter) {
      return parameter.getParameterType() == type && !parameter.hasParameterAnnotations();
    }

    @Override
    public Object resolveArgument(
        MethodParameter parameter,
        @Nullable ModelAndViewContainer container,
        NativeWebRequest web,
        @Nullable WebDataBinderFactory binderFactory) {
      return read.apply((HttpServletRequest) web.getNativeRequest());
    }
  }

  /// The management port answers with `application/json`, without the media types of the actuator.
  @Bean
  EndpointMediaTypes endpointMediaTypes() {
    return new EndpointMediaTypes(MediaType.APPLICATION_JSON_VALUE);
  }

  /// Treats `/products/` as `/products`. Spring Security comes later.
  @Bean
  FilterRegistrationBean<UrlHandlerFilter> trailingSlashFilter() {
    var registration =
        new FilterRegistrationBean<>(
            UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build());
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 50);
    return registration;
  }

  /// Disables a filter that does what the dispatcher servlet does anyway.
  @Bean
  FilterRegistrationBean<RequestContextFilter> noRequestContextFilter() {
    var registration = new FilterRegistrationBean<>(new RequestContextFilter());
    registration.setEnabled(false);
    return registration;
  }

  /// The settings are a parameter so that they are validated before a port is opened.
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatCustomizer(
      FrontendSettings settings,
      RequestLimiter limiter,
      ConnectionDrain drain,
      StoreServiceDescriptor service,
      ServerSettings server) {
    return tomcat -> {
      tomcat.addProtocolHandlerCustomizers(protocol -> protocol.setExecutor(limiter));
      tomcat.addConnectorCustomizers(connector -> {
        drain.beginsBy(connector.getProtocolHandler()::closeServerSocketGraceful);
        // product names may contain a backslash; BufferedRequest parses forms, not Tomcat
        connector.setEncodedReverseSolidusHandling("passthrough");
        connector.setParseBodyMethods("");
        // send "100 Continue" when the body is read, so never for a body that is too large
        connector.setProperty("continueResponseTiming", "onRead");
        // buffers of each connection, even an idle one
        connector.setProperty("socket.appReadBufSize", "2048");
        connector.setProperty("socket.appWriteBufSize", "4096");
      });
      addErrorValve(tomcat, false, server.allowedHosts(service));
    };
  }

  /// @param isManagement whether it is the server of the management port
  static void addErrorValve(
      TomcatServletWebServerFactory tomcat, boolean isManagement, AllowedHosts hosts) {
    tomcat.addContextCustomizers(context -> {
      var host = (StandardHost) context.getParent();
      host.setErrorReportValveClass("");
      host.getPipeline().addValve(new ErrorReportValve());
      host.getPipeline().addValve(new ErrorValve(isManagement, hosts));
    });
  }
}
