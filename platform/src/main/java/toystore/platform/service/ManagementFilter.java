package toystore.platform.service;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/// What all requests of a management port share. Each path has one format, JSON, and is answered in
/// it whatever `Accept` says; metrics are text, or OpenMetrics if `Accept` names it. A path with a
/// semicolon does not exist: Spring would drop what follows it as a matrix parameter. Any thread.
@Order(Ordered.HIGHEST_PRECEDENCE + 15)
final class ManagementFilter extends HttpFilter {
  private static final String METRICS = "/actuator/prometheus";
  private static final String OPEN_METRICS = "application/openmetrics-text";

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.getRequestURI().indexOf(';') >= 0) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
    } else {
      chain.doFilter(new FixedAccept(request, accept(request)), response);
    }
  }

  private static String accept(HttpServletRequest request) {
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    return accept != null
            && accept.contains(OPEN_METRICS)
            && request.getRequestURI().startsWith(METRICS)
        ? OPEN_METRICS
        : MediaType.ALL_VALUE;
  }

  private static final class FixedAccept extends HttpServletRequestWrapper {
    private final String accept;

    FixedAccept(HttpServletRequest request, String accept) {
      super(request);
      this.accept = accept;
    }

    @Override
    public @Nullable String getHeader(String name) {
      return HttpHeaders.ACCEPT.equalsIgnoreCase(name) ? accept : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return HttpHeaders.ACCEPT.equalsIgnoreCase(name)
          ? Collections.enumeration(List.of(accept))
          : super.getHeaders(name);
    }
  }
}
