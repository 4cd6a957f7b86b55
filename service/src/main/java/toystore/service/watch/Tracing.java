package toystore.service.watch;

import io.grpc.Metadata;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import org.jspecify.annotations.Nullable;

/// Begins the trails of requests. Where spans are exported a request without a trace begins one;
/// where they are not, a caller's `traceparent` goes through to the services behind and into the
/// log, and nothing else happens. Any thread.
public final class Tracing implements AutoCloseable {
  private static final String SCOPE = "toystore";

  private final Tracer tracer;
  private final boolean exports;
  private final Runnable close;

  private Tracing(Tracer tracer, boolean exports, Runnable close) {
    this.tracer = tracer;
    this.exports = exports;
    this.close = close;
  }

  static Tracing off() {
    return new Tracing(TracerProvider.noop().get(SCOPE), false, () -> {});
  }

  /// @param close sends what waits, within a bound
  static Tracing to(TracerProvider exporting, Runnable close) {
    return new Tracing(exporting.get(SCOPE), true, close);
  }

  /// The trail of a request from outside; null where nobody asks for one.
  ///
  /// @param timed whether the times of the parts are asked for
  /// @param began when the request came, as [System#nanoTime] told it
  public @Nullable Trail begin(
      String name,
      @Nullable String traceparent,
      @Nullable String tracestate,
      boolean timed,
      long began) {
    return exports || timed || traceparent != null
        ? new Trail(
            tracer, Wire.parent(traceparent, tracestate), name, timed ? new Timings() : null, began)
        : null;
  }

  /// The trail of a call from another service; null where that has none. A service behind begins no
  /// trace: what it does of itself, such as following the catalog, nobody waits for.
  @Nullable Trail begin(String name, Metadata request, long began) {
    boolean timed = Wire.isTimed(request);
    return timed || Wire.isTraced(request)
        ? new Trail(tracer, Wire.parent(request), name, timed ? new Timings() : null, began)
        : null;
  }

  @Override
  public void close() {
    close.run();
  }
}
