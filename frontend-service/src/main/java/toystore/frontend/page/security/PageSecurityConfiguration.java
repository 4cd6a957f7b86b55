package toystore.frontend.page.security;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.FlashMapManager;
import org.springframework.web.servlet.ModelAndView;
import toystore.frontend.http.ApiExceptionHandler;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.request.HostCookie;
import toystore.frontend.page.PageView;
import toystore.frontend.page.admin.AdminAuthentication;
import toystore.frontend.page.form.FormAdvice;
import toystore.frontend.page.form.FormTokens;
import toystore.frontend.page.form.Notice;
import toystore.frontend.page.form.PageMessage;
import toystore.frontend.security.BearerToken;
import toystore.frontend.security.SecurityConfiguration;
import toystore.frontend.security.SessionClient;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;

/// Spring Security for the pages of the marketplace, of the exchange and of the administrator: each
/// needs the session of its cookie, except those that begin one. Their forms are accepted without a
/// CSRF token: a login from another site is refused by its `Origin` header (`RequestCheckFilter`),
/// which every current browser sends with a form.
@Configuration(proxyBeanMethods = false)
class PageSecurityConfiguration {
  private static final String OTHER_SESSION =
      "This form belongs to another session, which has ended, so nothing was done. Please open the"
          + " page again.";

  private final ApiExceptionHandler errors;
  private final FlashMapManager notices;

  PageSecurityConfiguration(ApiExceptionHandler errors, FlashMapManager notices) {
    this.errors = errors;
    this.notices = notices;
  }

  /// @param open paths of the pages that begin a session, the login first
  /// @param secret of the session of a request
  private record Pages(
      String name,
      HostCookie cookie,
      List<String> open,
      AuthenticationManager check,
      AuthenticationSuccessHandler onSuccess,
      Function<HttpServletRequest, Optional<String>> secret) {
    boolean isOpen(HttpServletRequest request) {
      return open.contains(request.getServletPath());
    }
  }

  @Bean
  SecurityFilterChain marketPages(HttpSecurity http, SessionClient sessions) {
    var pages =
        new Pages(
            "market",
            HostCookie.SESSION,
            List.of("/market/login", "/market/register"),
            sessions,
            (_, _, _) -> {},
            HostCookie.SESSION::read);
    return secured(http, pages)
        .securityMatcher(request ->
            SecurityConfiguration.isUnder(request, "/market")
                || SecurityConfiguration.isUnder(request, "/exchange"))
        .authorizeHttpRequests(routes ->
            routes
                .requestMatchers(pages::isOpen)
                .permitAll()
                .requestMatchers("/market/cart/**", "/market/checkout", "/market/purchases/**")
                .hasRole("BUYER")
                .requestMatchers(HttpMethod.POST, "/market/items/*")
                .hasRole("BUYER")
                .requestMatchers("/market/selling/**")
                .hasRole("SELLER")
                .anyRequest()
                .authenticated())
        .build();
  }

  @Bean
  SecurityFilterChain adminPages(HttpSecurity http, AdminAuthentication administrator) {
    var pages =
        new Pages(
            "admin",
            AdminAuthentication.COOKIE,
            List.of(AdminAuthentication.LOGIN),
            administrator::authenticate,
            administrator::renew,
            administrator::sessionId);
    return secured(http, pages)
        .securityMatcher(request -> SecurityConfiguration.isUnder(request, "/admin"))
        .authorizeHttpRequests(routes ->
            routes.requestMatchers(pages::isOpen).permitAll().anyRequest().hasRole("ADMINISTRATOR"))
        .build();
  }

  /// The requests whose body may be long: only the administrator can make the frontend keep it.
  @Bean
  RequestMatcher imports(AdminAuthentication administrator) {
    return request ->
        SecurityConfiguration.isUnder(request, "/admin/import")
            && administrator.sessionId(request).isPresent();
  }

  private HttpSecurity secured(HttpSecurity http, Pages pages) {
    var session =
        SecurityConfiguration.filter(
            pages.check,
            request ->
                pages
                    .cookie
                    .read(request)
                    .map(BearerToken::new)
                    .map(BearerToken::unchecked)
                    .orElse(null),
            (request, response, _) -> redirectToLogin(pages, request, response));
    session.setSuccessHandler(pages.onSuccess);
    session.setRequestMatcher(request -> !pages.isOpen(request));
    return SecurityConfiguration.stateless(http)
        .addFilterBefore(session, CsrfFilter.class)
        .csrf(it ->
            it.csrfTokenRepository(new FormTokens(pages.secret))
                .csrfTokenRequestHandler(new CsrfTokenRequestAttributeHandler())
                .ignoringRequestMatchers(pages::isOpen))
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
        .exceptionHandling(it ->
            it.authenticationEntryPoint(
                    (request, response, _) -> redirectToLogin(pages, request, response))
                .accessDeniedHandler(
                    (request, response, refusal) -> refuse(pages, request, response, refusal)));
  }

  /// The login page says so if a form was not processed or a session has ended.
  private void redirectToLogin(
      Pages pages, HttpServletRequest request, HttpServletResponse response) {
    boolean isForm = HttpMethod.POST.matches(request.getMethod());
    boolean hadSession = pages.cookie.read(request).isPresent();
    if (hadSession) {
      response.addHeader(HttpHeaders.SET_COOKIE, pages.cookie.delete(request));
    }
    if (isForm || hadSession) {
      var notice = new FlashMap();
      notice.put(FormAdvice.MESSAGE, isForm ? Notice.NOT_LOGGED_IN : Notice.SESSION_ENDED);
      notices.saveOutputFlashMap(notice, request, response);
    }
    response.setStatus(HttpStatus.SEE_OTHER.value());
    response.setHeader(HttpHeaders.LOCATION, request.getContextPath() + pages.open.getFirst());
  }

  private void refuse(
      Pages pages,
      HttpServletRequest request,
      HttpServletResponse response,
      AccessDeniedException refusal)
      throws IOException, ServletException {
    Authentication user = SecurityContextHolder.getContext().getAuthentication();
    if (user == null || user.getPrincipal() == null) {
      redirectToLogin(pages, request, response);
    } else if (user.getPrincipal() instanceof UserSession session
        && !(refusal instanceof CsrfException)) {
      errors.respond(
          ApiException.of(
              ErrorReason.OTHER_ROLE,
              session.isBuyer() ? "this page is for sellers" : "this page is for buyers"),
          request,
          response);
    } else {
      var page = new ModelAndView(pages.name + "/refused", HttpStatusCode.valueOf(403));
      page.addObject(FormAdvice.MESSAGE, new PageMessage(403, OTHER_SESSION, true));
      if (user.getPrincipal() instanceof UserSession session) {
        page.addObject(FormAdvice.USER, session);
      }
      errors.respond(page, request, response);
    }
  }
}
