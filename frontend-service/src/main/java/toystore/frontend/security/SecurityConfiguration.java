package toystore.frontend.security;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import toystore.frontend.http.ApiExceptionHandler;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.request.BrowserRequest;
import toystore.platform.error.ErrorReason;
import toystore.platform.service.AdministratorToken;

/// Who may call what: the administrator's calls, the API of the marketplace and that of the
/// exchange. The pages have a chain of their own. Queries and orders, which anyone may send, do not
/// pass Spring Security.
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
public class SecurityConfiguration {
  private static final Set<String> OPEN =
      Set.of(
          "/api/buyers/register",
          "/api/buyers/login",
          "/api/sellers/register",
          "/api/sellers/login");

  private static final Set<String> READS = Set.of("GET", "HEAD");

  private static final String SESSION_REQUIRED =
      "the bearer token of a session is required; log in to get one";

  private final ApiExceptionHandler errors;
  private final AdministratorToken administrator;
  private final SessionClient sessions;

  SecurityConfiguration(
      ApiExceptionHandler errors, AdministratorToken administrator, SessionClient sessions) {
    this.errors = errors;
    this.administrator = administrator;
    this.sessions = sessions;
  }

  @Bean
  @Order(1)
  SecurityFilterChain administratorCalls(HttpSecurity http) {
    AuthenticationManager check =
        shown ->
            administrator.check("Bearer " + BearerToken.of(shown).value())
                    == AdministratorToken.Shown.ADMINISTRATOR
                ? accepted(shown, "ROLE_ADMINISTRATOR")
                : accepted(shown);
    return api(http, check, "the administrator's bearer token is required")
        .securityMatchers(calls ->
            calls
                .requestMatchers(
                    HttpMethod.POST, "/products", "/products/*/restock", "/stocks/*/resume")
                .requestMatchers(HttpMethod.PATCH, "/products/*")
                .requestMatchers(HttpMethod.DELETE, "/products/*")
                .requestMatchers(SecurityConfiguration::isListOfOrders))
        .authorizeHttpRequests(routes -> routes.anyRequest().hasRole("ADMINISTRATOR"))
        .build();
  }

  /// The exchange itself checks the token, because it has other clients as well.
  @Bean
  @Order(2)
  SecurityFilterChain exchangeApi(HttpSecurity http) {
    return api(http, shown -> accepted(shown), SESSION_REQUIRED)
        .securityMatcher(request -> isUnder(request, "/api/exchange"))
        .authorizeHttpRequests(routes -> routes.anyRequest().authenticated())
        .build();
  }

  /// A path that is not listed here is refused, even if there is a controller for it.
  @Bean
  @Order(3)
  SecurityFilterChain marketplaceApi(HttpSecurity http) {
    return api(http, sessions, SESSION_REQUIRED)
        .securityMatcher(
            request -> isUnder(request, "/api") && !OPEN.contains(request.getServletPath()))
        .authorizeHttpRequests(routes ->
            routes
                .requestMatchers("/api/buyers/**", "/api/cart/**", "/api/purchases")
                .hasRole("BUYER")
                .requestMatchers("/api/items/*/feedback")
                .hasRole("BUYER")
                .requestMatchers(
                    "/api/sellers/items/**", "/api/sellers/logout", "/api/sellers/rating")
                .hasRole("SELLER")
                .requestMatchers("/api/items/**", "/api/sellers/*/rating")
                .authenticated()
                .anyRequest()
                .denyAll())
        .build();
  }

  /// Programs send the token in a header.
  private HttpSecurity api(HttpSecurity http, AuthenticationManager check, String required) {
    var filter =
        filter(
            check,
            BearerToken::ofHeader,
            (request, response, refusal) ->
                errors.respond(
                    (ApiException) requireNonNull(refusal.getCause()), request, response));
    return stateless(http)
        .addFilterBefore(filter, CsrfFilter.class)
        .csrf(AbstractHttpConfigurer::disable)
        .headers(AbstractHttpConfigurer::disable)
        .exceptionHandling(it ->
            it.authenticationEntryPoint((request, response, _) ->
                    errors.respond(
                        ApiException.of(ErrorReason.NO_TOKEN, required), request, response))
                .accessDeniedHandler((request, response, denial) ->
                    errors.respond(
                        lacksRole(denial) ? forbidden(request) : noSuchPath(), request, response)));
  }

  /// There are no HTTP sessions.
  public static HttpSecurity stateless(HttpSecurity http) {
    return http.sessionManagement(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .anonymous(AbstractHttpConfigurer::disable);
  }

  /// Authenticates a request that has a token.
  public static AuthenticationFilter filter(
      AuthenticationManager check,
      AuthenticationConverter token,
      AuthenticationFailureHandler onFailure) {
    var filter = new AuthenticationFilter(check, token);
    filter.setSuccessHandler((_, _, _) -> {}); // the request goes on
    filter.setFailureHandler(onFailure);
    return filter;
  }

  private static Authentication accepted(Authentication shown, String... roles) {
    return new PreAuthenticatedAuthenticationToken(
        BearerToken.of(shown), shown.getCredentials(), AuthorityUtils.createAuthorityList(roles));
  }

  private static boolean lacksRole(AccessDeniedException denial) {
    return denial instanceof AuthorizationDeniedException it
        && it.getAuthorizationResult() instanceof AuthorityAuthorizationDecision;
  }

  private static ApiException forbidden(HttpServletRequest request) {
    if (request.getUserPrincipal() instanceof Authentication it
        && it.getPrincipal() instanceof UserSession session) {
      return ApiException.of(
          ErrorReason.OTHER_ROLE,
          session.isBuyer()
              ? "a seller's session is required, this is a buyer's"
              : "a buyer's session is required, this is a seller's");
    }
    return ApiException.of(403, "the bearer token is not the administrator's token");
  }

  private static ApiException noSuchPath() {
    return ApiException.of(404, "no such path");
  }

  /// Requests that no chain is for, above all queries and orders, pass by Spring Security.
  @Bean
  FilterRegistrationBean<Filter> securityFilter(
      List<SecurityFilterChain> chains, @Qualifier("springSecurityFilterChain") Filter security) {
    return new FilterRegistrationBean<>((request, response, rest) -> {
      var http = (HttpServletRequest) request;
      if (chains.stream().noneMatch(it -> it.matches(http))) {
        rest.doFilter(request, response);
        return;
      }
      try {
        security.doFilter(request, response, rest);
      } catch (ApiException refusal) {
        errors.respond(refusal, http, (HttpServletResponse) response);
      }
    });
  }

  @Bean
  FilterRegistrationBean<Filter> noSecurityForOthers(
      @Qualifier("springSecurityFilterChain") Filter security) {
    var registration = new FilterRegistrationBean<>(security);
    registration.setEnabled(false);
    return registration;
  }

  /// Whether the path is `root` or below it.
  public static boolean isUnder(HttpServletRequest request, String root) {
    String path = request.getServletPath();
    return path.startsWith(root)
        && (path.length() == root.length() || path.charAt(root.length()) == '/');
  }

  /// Browsers get a page at `/orders`.
  private static boolean isListOfOrders(HttpServletRequest request) {
    return request.getServletPath().equals("/orders")
        && READS.contains(request.getMethod())
        && !BrowserRequest.wantsHtml(request);
  }

  /// A path is taken literally, and Spring MVC refuses unknown methods. What is wrong in a header
  /// or a parameter is for those who read it; the firewall would throw at them.
  @Bean
  HttpFirewall firewall() {
    var firewall = new StrictHttpFirewall();
    firewall.setUnsafeAllowAnyHttpMethod(true);
    firewall.setAllowedHeaderValues(_ -> true);
    firewall.setAllowedParameterNames(_ -> true);
    return firewall;
  }

  @Bean
  RequestRejectedHandler rejected() {
    return (request, response, _) -> errors.respond(noSuchPath(), request, response);
  }

  /// [toystore.frontend.http] measures requests.
  @Bean
  SecurityObservationSettings noObservations() {
    return SecurityObservationSettings.noObservations();
  }
}
