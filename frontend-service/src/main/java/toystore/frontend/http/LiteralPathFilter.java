package toystore.frontend.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Answers 404 to a path with a semicolon. Tomcat and Spring would drop what follows it as a matrix
/// parameter, so that `/products/Tux;v=1` would be `/products/Tux`; no path of the store has one.
/// Any thread.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 25)
final class LiteralPathFilter extends HttpFilter {
  private final ErrorResponder errors;

  LiteralPathFilter(ErrorResponder errors) {
    this.errors = errors;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.getRequestURI().indexOf(';') >= 0) {
      errors.respond(
          ApiException.of(ApiErrorReason.PATH_NOT_FOUND, "no such path"), request, response);
    } else {
      chain.doFilter(request, response);
    }
  }
}
