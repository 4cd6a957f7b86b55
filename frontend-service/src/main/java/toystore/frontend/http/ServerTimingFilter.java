package toystore.frontend.http;

import io.grpc.Context;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Locale;
import java.util.stream.Stream;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import toystore.platform.telemetry.RequestTimings;

/// Adds the header `Server-Timing` if the request has `Prefer: server-timing` (RFC 7240), and the
/// header `traceparent` if the request is traced. It runs inside Spring's filter that starts the
/// trace. Any thread.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
public final class ServerTimingFilter extends HttpFilter {
  private static final String PREFERENCE = "server-timing";

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    SpanContext span = Span.current().getSpanContext();
    if (span.isValid()) {
      response.setHeader(
          "traceparent",
          String.format(
              Locale.ROOT,
              "00-%s-%s-%s",
              span.getTraceId(),
              span.getSpanId(),
              span.getTraceFlags().asHex()));
    }
    if (isPreferred(request)) {
      doTimed(request, response, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private static void doTimed(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Context here = new RequestTimings().in(Context.current());
    Context before = here.attach();
    try {
      chain.doFilter(request, response);
      addHeaders(response);
    } finally {
      here.detach(before);
    }
  }

  /// `Prefer: a, server-timing; b` matches, too.
  private static boolean isPreferred(HttpServletRequest request) {
    return request.getHeader("Prefer") != null
        && Collections.list(request.getHeaders("Prefer")).stream()
            .flatMap(header -> Stream.of(header.split(",")))
            .anyMatch(it -> it.split(";", 2)[0].strip().equalsIgnoreCase(PREFERENCE));
  }

  /// Adds the timings so far, if the request prefers them. Call it before the body is written:
  /// Tomcat sends the headers with the last byte of the body.
  public static void addHeaders(HttpServletResponse response) {
    RequestTimings timings = RequestTimings.current();
    if (timings != null && !response.isCommitted()) {
      response.setHeader("Preference-Applied", PREFERENCE);
      response.setHeader("Server-Timing", timings.within("frontend"));
    }
  }
}
