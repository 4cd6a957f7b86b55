package toystore.frontend.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerMapping;
import toystore.service.watch.Meters;

/// Requests by method, route and status, under the names Spring gives them. As many as there are
/// routes and statuses, whatever clients send. Any thread.
@Component
final class HttpMeters {
  /// For a path or a method that nobody answers to.
  private static final String UNKNOWN = "UNKNOWN";

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

  private final MeterRegistry registry;
  private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();
  private final LongAdder inFlight = new LongAdder();

  private record Kind(String method, String route, int status) {}

  HttpMeters(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("http.server.active.requests", inFlight, LongAdder::sum)
        .description("Requests being answered")
        .register(registry);
  }

  void begin() {
    inFlight.increment();
  }

  void end(String method, String route, int status, long nanos) {
    inFlight.decrement();
    timers
        .computeIfAbsent(new Kind(method, route, status), this::timer)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  /// One that is known; Tomcat has none for a request line it cannot read.
  static String method(HttpServletRequest request) {
    String method = request.getMethod();
    return method != null && METHODS.contains(method) ? method : UNKNOWN;
  }

  /// The pattern of the controller that took the request, such as `/orders/{number}`.
  static String route(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)
            instanceof String pattern
        ? pattern
        : UNKNOWN;
  }

  private Timer timer(Kind kind) {
    return Meters.waits("http.server.requests", "Requests answered")
        .tag("method", kind.method)
        .tag("uri", kind.route)
        .tag("status", Integer.toString(kind.status))
        .tag("outcome", outcome(kind.status))
        .register(registry);
  }

  private static String outcome(int status) {
    HttpStatus.Series series = HttpStatus.Series.resolve(status);
    return series == null ? UNKNOWN : series.name();
  }
}
