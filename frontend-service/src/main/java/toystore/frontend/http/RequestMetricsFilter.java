package toystore.frontend.http;

import static toystore.common.RootLocale.format;

import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.http.Outcome;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.servlet.HandlerMapping;
import toystore.platform.telemetry.SpanObservations;

/// Records the metrics of each request with the names and tags of Spring, and creates a span for
/// requests that belong to a trace, whose answers name it in `traceparent`. Spring's own filter
/// creates an observation for every request, of which both are made; that took 8 % of the CPU time
/// of a query (`docs/decisions/0004-grpc-metrics-and-spans-apart.md`).
///
/// The exchange's feed is left out: it lasts up to an hour. Any thread.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class RequestMetricsFilter extends HttpFilter {
  private static final String NAME = "http.server.requests";
  private static final String FEED = "/exchange/feed";
  private static final Set<String> METHODS =
      Stream.of(HttpMethod.values()).map(HttpMethod::name).collect(Collectors.toUnmodifiableSet());

  private final MeterRegistry meters;
  private final LongTaskTimer active;
  private final Map<Route, Timer> timers = new ConcurrentHashMap<>();
  private final ServerHttpObservationFilter spans;
  private final boolean exportsSpans;

  /// Requests with the same tags, of which there is a bounded number.
  private record Route(String method, String uri, int status, String exception) {}

  /// @param exportsSpans whether every request belongs to a trace
  RequestMetricsFilter(
      MeterRegistry meters,
      ObjectProvider<TracingObservationHandler<?>> handlers,
      @Value("${management.opentelemetry.enabled:false}") boolean exportsSpans) {
    this.meters = meters;
    this.active = LongTaskTimer.builder(NAME + ".active").register(meters);
    this.exportsSpans = exportsSpans;
    this.spans = new ServerHttpObservationFilter(SpanObservations.registry(handlers));
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request.getRequestURI().endsWith(FEED)) {
      chain.doFilter(request, response);
      return;
    }
    if (exportsSpans || request.getHeader("traceparent") != null) {
      // within the span, so that exemplars of the metrics name the trace
      spans.doFilter(
          request,
          response,
          (_, _) -> {
            addTraceparent(response);
            measure(request, response, chain);
          });
    } else {
      measure(request, response, chain);
    }
  }

  private static void addTraceparent(HttpServletResponse response) {
    SpanContext span = Span.current().getSpanContext();
    if (span.isValid()) {
      response.setHeader(
          "traceparent",
          format("00-%s-%s-%s", span.getTraceId(), span.getSpanId(), span.getTraceFlags().asHex()));
    }
  }

  private void measure(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    LongTaskTimer.Sample sample = active.start();
    long start = System.nanoTime();
    Throwable failure = null;
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException | Error e) {
      response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      failure = e;
      throw e;
    } finally {
      sample.stop();
      timers
          .computeIfAbsent(route(request, response, failure), this::timer)
          .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    }
  }

  private static Route route(
      HttpServletRequest request, HttpServletResponse response, @Nullable Throwable failure) {
    int status = response.getStatus();
    Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    return new Route(
        METHODS.contains(request.getMethod()) ? request.getMethod() : "UNKNOWN",
        pattern == null ? uri(status) : pattern.toString(),
        status,
        failure == null ? "none" : failure.getClass().getSimpleName());
  }

  /// Where no controller was found.
  private static String uri(int status) {
    if (status == 404) {
      return "NOT_FOUND";
    }
    return status / 100 == 3 ? "REDIRECTION" : "UNKNOWN";
  }

  private Timer timer(Route route) {
    return Timer.builder(NAME)
        .tags("method", route.method, "uri", route.uri, "status", "" + route.status)
        .tags(List.of(Outcome.forStatus(route.status).asTag()))
        .tags("exception", route.exception, "error", route.exception)
        .register(meters);
  }
}
