package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.VersionResourceResolver;

/// Serves the static files of the pages: CSS, scripts, icon. The URL of a file contains its hash,
/// so browsers may cache it without expiry.
@Configuration(proxyBeanMethods = false)
class AssetsConfiguration implements WebMvcConfigurer {
  private static final String ASSET_PATHS = "/assets/**";

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry
        .addResourceHandler(ASSET_PATHS)
        .addResourceLocations(
            "classpath:/assets/", "classpath:/META-INF/resources/webjars/htmx.org/2.0.8/dist/")
        .setCacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable())
        .resourceChain(true)
        .addResolver(new VersionResourceResolver().addContentVersionStrategy("/**"));
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new NoSniffInterceptor()).addPathPatterns(ASSET_PATHS);
  }

  private static final class NoSniffInterceptor implements HandlerInterceptor {
    @Override
    public boolean preHandle(
        HttpServletRequest request, HttpServletResponse response, Object handler) {
      response.setHeader("X-Content-Type-Options", "nosniff");
      return true;
    }
  }
}
