package toystore.frontend.page.market;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.web.servlet.FlashMapManager;
import org.springframework.web.servlet.ModelAndView;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.ApiExceptionHandler;
import toystore.frontend.page.PageView;
import toystore.frontend.security.BearerToken;
import toystore.frontend.security.SecurityConfiguration;
import toystore.frontend.security.SessionClient;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;

/// Spring Security for the pages of the marketplace and the exchange: each needs a session, except
/// those that begin one. Their forms are accepted without a CSRF token: a login from another site
/// is refused by its `Origin` header (`RequestCheckFilter`), which every current browser sends with
/// a form.
@Configuration(proxyBeanMethods = false)
class MarketConfiguration {
  private static final Set<String> OPEN = Set.of("/market/login", "/market/register");
  private static final String OTHER_SESSION =
      "This form belongs to another session, which has ended, so nothing was done. Please open the"
          + " page again.";

  private final ApiExceptionHandler errors;
  private final LoginRedirect login;

  MarketConfiguration(ApiExceptionHandler errors, FlashMapManager notices) {
    this.errors = errors;
    this.login = new LoginRedirect(notices, SessionCookie.COOKIE, "/market/login");
  }

  @Bean
  SecurityFilterChain marketPages(HttpSecurity http, SessionClient sessions) {
    var session =
        SecurityConfiguration.filter(
            sessions,
            request -> SessionCookie.read(request).map(BearerToken::unchecked).orElse(null),
            (request, response, _) -> login.send(request, response));
    session.setRequestMatcher(request -> !isOpen(request));
    return SecurityConfiguration.stateless(http)
        .securityMatcher(request ->
            SecurityConfiguration.isUnder(request, "/market")
                || SecurityConfiguration.isUnder(request, "/exchange"))
        .addFilterBefore(session, CsrfFilter.class)
        .csrf(it ->
            it.csrfTokenRepository(
                    new FormTokens(request -> SessionCookie.read(request).map(BearerToken::value)))
                .csrfTokenRequestHandler(new CsrfTokenRequestAttributeHandler())
                .ignoringRequestMatchers(MarketConfiguration::isOpen))
        .headers(it ->
            it.defaultsDisabled()
                .addHeaderWriter(PageView.HEADERS)
                .addObjectPostProcessor(
                    new ObjectPostProcessor<HeaderWriterFilter>() {
                      @Override
                      public <T extends HeaderWriterFilter> T postProcess(T filter) {
                        filter.setShouldWriteHeadersEagerly(true); // the feed's thread writes later
                        return filter;
                      }
                    }))
        .authorizeHttpRequests(routes ->
            routes
                .requestMatchers(MarketConfiguration::isOpen)
                .permitAll()
                .requestMatchers("/market/cart/**", "/market/checkout", "/market/purchases/**")
                .hasRole("BUYER")
                .requestMatchers(HttpMethod.POST, "/market/items/*")
                .hasRole("BUYER")
                .requestMatchers("/market/selling/**")
                .hasRole("SELLER")
                .anyRequest()
                .authenticated())
        .exceptionHandling(it ->
            it.authenticationEntryPoint((request, response, _) -> login.send(request, response))
                .accessDeniedHandler(this::refuse))
        .build();
  }

  private static boolean isOpen(HttpServletRequest request) {
    return OPEN.contains(request.getServletPath());
  }

  private void refuse(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException refusal)
      throws IOException, ServletException {
    Authentication user = SecurityContextHolder.getContext().getAuthentication();
    if (user == null || !(user.getPrincipal() instanceof UserSession session)) {
      login.send(request, response);
    } else if (refusal instanceof CsrfException) {
      errors.respond(
          new ModelAndView(
              "market/refused",
              Map.of(
                  "user", session, FormAdvice.MESSAGE, new PageMessage(403, OTHER_SESSION, true)),
              HttpStatusCode.valueOf(403)),
          request,
          response);
    } else {
      errors.respond(
          ApiException.of(
              ErrorReason.OTHER_ROLE,
              session.isBuyer() ? "this page is for sellers" : "this page is for buyers"),
          request,
          response);
    }
  }
}
