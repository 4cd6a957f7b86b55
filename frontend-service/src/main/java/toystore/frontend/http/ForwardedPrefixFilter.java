package toystore.frontend.http;

import static toystore.common.RootLocale.format;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.Globals;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import toystore.frontend.http.error.ApiException;

/// Makes the path prefix that a reverse proxy removed (`X-Forwarded-Prefix`) the context path of
/// the request, which all links, redirects and cookies begin with. Only the proxies that Tomcat
/// trusts are believed (`server.forward-headers-strategy=native`, see
/// `docs/how-to/reverse-proxy.md`). Tomcat itself knows the headers for the address and the scheme
/// only, and Spring's `ForwardedHeaderFilter` believes everyone. Any thread.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ForwardedPrefixFilter extends HttpFilter {
  private static final String HEADER = "X-Forwarded-Prefix";
  private static final int MAX_LENGTH = 255;

  /// A segment begins with a letter or a digit: `//other.host` and `/..` are no prefixes.
  private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9][A-Za-z0-9._~-]*)*");

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String header = request.getHeader(HEADER);
    if (header == null || request.getAttribute(Globals.REQUEST_FORWARDED_ATTRIBUTE) == null) {
      chain.doFilter(request, response);
      return;
    }
    String prefix = join(header);
    if (prefix.length() <= MAX_LENGTH && PREFIX.matcher(prefix).matches()) {
      chain.doFilter(new PrefixedRequest(request, prefix), response);
    } else {
      String message =
          format(
              "%s must be a path such as /toys, of letters, digits and . _ ~ -, at most %d characters, got \"%s\"",
              HEADER, MAX_LENGTH, header);
      ErrorFormat.write(ApiException.badRequest(message), request, response);
    }
  }

  /// Several proxies make a list, the outermost first: `/shops, /toys` is `/shops/toys`.
  private static String join(String header) {
    return Stream.of(header.split(","))
        .map(it -> it.strip().replaceFirst("/+$", ""))
        .collect(Collectors.joining());
  }

  /// A request as the client sent it to the proxy.
  private static final class PrefixedRequest extends HttpServletRequestWrapper {
    private final String prefix;

    PrefixedRequest(HttpServletRequest request, String prefix) {
      super(request);
      this.prefix = prefix;
    }

    @Override
    public String getContextPath() {
      return prefix + super.getContextPath();
    }

    @Override
    public String getRequestURI() {
      return prefix + super.getRequestURI();
    }

    @Override
    public StringBuffer getRequestURL() {
      StringBuffer url = super.getRequestURL();
      return url.insert(url.length() - super.getRequestURI().length(), prefix);
    }
  }
}
