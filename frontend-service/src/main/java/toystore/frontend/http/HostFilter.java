package toystore.frontend.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import toystore.platform.service.AllowedHosts;

/// Answers 421 (Misdirected Request) to requests for another host. It runs after the filter that
/// measures requests, and before those that read them. Any thread.
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
final class HostFilter extends HttpFilter {
  private final AllowedHosts hosts;

  HostFilter(AllowedHosts hosts) {
    this.hosts = hosts;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String host = request.getServerName();
    if (request.getHeader("Host") != null && !hosts.accepts(host)) {
      response.sendError(421, hosts.refusal(host));
    } else {
      chain.doFilter(request, response);
    }
  }
}
