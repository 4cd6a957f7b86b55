package toystore.frontend.page.market;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.handler.MappedInterceptor;

/// Every page of the marketplace and the exchange needs a session, except those that begin one.
/// Their forms are accepted without a CSRF token: a login from another site is refused by its
/// `Origin` header (`CrossSiteFilter`), which every current browser sends with a form.
@Configuration(proxyBeanMethods = false)
class MarketConfiguration {
  @Bean
  MappedInterceptor marketSessions(SessionInterceptor sessions) {
    return new MappedInterceptor(
        new String[] {"/market/**", "/exchange/**"},
        new String[] {"/market/login", "/market/register"},
        sessions);
  }
}
