package toystore.frontend.page.admin;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.servlet.FlashMapManager;
import org.springframework.web.servlet.ModelAndView;
import toystore.frontend.http.ApiExceptionHandler;
import toystore.frontend.http.HostCookie;
import toystore.frontend.page.PageView;
import toystore.frontend.page.market.FormAdvice;
import toystore.frontend.page.market.FormTokens;
import toystore.frontend.page.market.LoginRedirect;
import toystore.frontend.page.market.PageMessage;
import toystore.frontend.security.SecurityConfiguration;

/// Spring Security for the administrator's pages: each needs a session, except the login.
@Configuration(proxyBeanMethods = false)
class AdminConfiguration {
  static final HostCookie COOKIE = new HostCookie("toystore-admin", "Strict");
  static final String LOGIN = "/admin/login";
  private static final String OTHER_SESSION =
      "This form belongs to another session, which has ended, so nothing was done. Please open the"
          + " page again.";

  private final AdminSessions sessions;
  private final AdminSessionClient ended;
  private final ApiExceptionHandler errors;
  private final LoginRedirect login;

  AdminConfiguration(
      AdminSessions sessions,
      AdminSessionClient ended,
      ApiExceptionHandler errors,
      FlashMapManager notices) {
    this.sessions = sessions;
    this.ended = ended;
    this.errors = errors;
    this.login = new LoginRedirect(notices, COOKIE, LOGIN);
  }

  @Bean
  SecurityFilterChain adminPages(HttpSecurity http) {
    var session =
        SecurityConfiguration.filter(
            this::authenticate,
            request ->
                COOKIE
                    .read(request)
                    .map(value -> new PreAuthenticatedAuthenticationToken(value, value))
                    .orElse(null),
            (request, response, _) -> login.send(request, response));
    session.setSuccessHandler((request, response, it) -> renew(request, response, it));
    session.setRequestMatcher(request -> !isLogin(request));
    return SecurityConfiguration.stateless(http)
        .securityMatcher(request -> SecurityConfiguration.isUnder(request, "/admin"))
        .addFilterBefore(session, CsrfFilter.class)
        .csrf(it ->
            it.csrfTokenRepository(new FormTokens(this::secret))
                .csrfTokenRequestHandler(new CsrfTokenRequestAttributeHandler())
                .ignoringRequestMatchers(AdminConfiguration::isLogin))
        .headers(it -> it.defaultsDisabled().addHeaderWriter(PageView.HEADERS))
        .authorizeHttpRequests(routes ->
            routes
                .requestMatchers(AdminConfiguration::isLogin)
                .permitAll()
                .anyRequest()
                .hasRole("ADMINISTRATOR"))
        .exceptionHandling(it ->
            it.authenticationEntryPoint((request, response, _) -> login.send(request, response))
                .accessDeniedHandler(this::refuse))
        .build();
  }

  /// The requests whose body may be long: only the administrator can make the frontend keep it.
  @Bean
  RequestMatcher imports() {
    return request ->
        SecurityConfiguration.isUnder(request, "/admin/import")
            && COOKIE.read(request).flatMap(sessions::find).isPresent();
  }

  private static boolean isLogin(HttpServletRequest request) {
    return request.getServletPath().equals(LOGIN);
  }

  private Authentication authenticate(Authentication shown) {
    AdminSession session =
        sessions
            .find(String.valueOf(shown.getCredentials()))
            .filter(it -> !ended.hasEnded(it))
            .orElseThrow(() -> new BadCredentialsException("no session of the administrator"));
    return new PreAuthenticatedAuthenticationToken(
        session, "", AuthorityUtils.createAuthorityList("ROLE_ADMINISTRATOR"));
  }

  private void renew(
      HttpServletRequest request, HttpServletResponse response, Authentication authenticated) {
    sessions
        .used((AdminSession) requireNonNull(authenticated.getPrincipal()))
        .map(sessions::value)
        .ifPresent(value ->
            response.addHeader(HttpHeaders.SET_COOKIE, COOKIE.create(request, value, null)));
  }

  private Optional<String> secret(HttpServletRequest request) {
    return COOKIE.read(request).flatMap(sessions::find).map(AdminSession::id);
  }

  /// Refuses a form without the token of its session.
  private void refuse(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException refusal)
      throws IOException, ServletException {
    if (SecurityContextHolder.getContext().getAuthentication() == null) {
      login.send(request, response);
      return;
    }
    var message = new PageMessage(403, OTHER_SESSION, true);
    errors.respond(
        new ModelAndView(
            "admin/refused", Map.of(FormAdvice.MESSAGE, message), HttpStatusCode.valueOf(403)),
        request,
        response);
  }
}
