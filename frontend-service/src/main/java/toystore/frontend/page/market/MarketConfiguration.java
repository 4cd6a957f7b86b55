package toystore.frontend.page.market;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Every page of the marketplace needs a session, except those that begin one. Their forms are
/// accepted without a CSRF token: a login from another site is refused by its `Origin` header
/// ([toystore.frontend.http.CrossSiteFilter]), which every current browser sends with a form.
@Configuration(proxyBeanMethods = false)
final class MarketConfiguration implements WebMvcConfigurer {
  private final SessionInterceptor sessions;

  MarketConfiguration(SessionInterceptor sessions) {
    this.sessions = sessions;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry
        .addInterceptor(sessions)
        .addPathPatterns("/market/**")
        .excludePathPatterns("/market/login", "/market/register");
  }
}
