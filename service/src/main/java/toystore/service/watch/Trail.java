package toystore.service.watch;

import io.grpc.Context;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Where a request stands in its trace, and, where they were asked for, what its parts took. It
/// goes with the request: inside a service in gRPC's context, to the next service in a call's
/// metadata ([Wire]). A request that is neither traced nor timed has none.
///
/// Any thread.
public final class Trail {
  private static final Context.Key<Trail> KEY = Context.key("toystore-trail");

  private final Tracer tracer;
  private final Span span;
  private final @Nullable Timings timings;
  private final long beganEpochNanos;
  private final long began;

  /// @param began when this service took up the request, as [System#nanoTime] told it
  Trail(
      Tracer tracer,
      io.opentelemetry.context.Context parent,
      String name,
      @Nullable Timings timings,
      long began) {
    Instant now = Instant.now();
    this.beganEpochNanos =
        TimeUnit.SECONDS.toNanos(now.getEpochSecond())
            + now.getNano()
            - (System.nanoTime() - began);
    this.began = began;
    this.tracer = tracer;
    this.timings = timings;
    this.span = start(parent, name, SpanKind.SERVER, began);
  }

  /// That of the request this thread works on.
  public static @Nullable Trail current() {
    return of(Context.current());
  }

  static @Nullable Trail of(Context request) {
    return KEY.get(request);
  }

  /// The trace id of the request this thread works on, 32 hexadecimal digits.
  static @Nullable String currentTraceId() {
    Trail trail = current();
    return trail != null && trail.span.getSpanContext().isValid()
        ? trail.span.getSpanContext().getTraceId()
        : null;
  }

  /// A context that bears this trail.
  public Context context() {
    return Context.current().withValue(KEY, this);
  }

  /// This service's span; an invalid one where the request is not traced.
  public Span span() {
    return span;
  }

  /// What the parts took; null: nobody asked.
  public @Nullable Timings timings() {
    return timings;
  }

  /// Nanoseconds since this service took up the request.
  public long soFar() {
    return System.nanoTime() - began;
  }

  /// Adds to a part's time.
  void took(String part, long nanos) {
    if (timings != null) {
      timings.add(part, nanos);
    }
  }

  /// A span below this service's own. Moments are [System#nanoTime]'s.
  Span child(String name, SpanKind kind, long from) {
    return start(io.opentelemetry.context.Context.root().with(span), name, kind, from);
  }

  /// Ends a span of this trail.
  public void end(Span ended, long nanoTime) {
    ended.end(epochNanos(nanoTime), TimeUnit.NANOSECONDS);
  }

  private Span start(
      io.opentelemetry.context.Context parent, String name, SpanKind kind, long from) {
    return tracer
        .spanBuilder(name)
        .setParent(parent)
        .setSpanKind(kind)
        .setStartTimestamp(epochNanos(from), TimeUnit.NANOSECONDS)
        .startSpan();
  }

  /// All spans of a trail tell the time by one look at the clock, so that none overlaps another
  /// because the clock was set.
  private long epochNanos(long nanoTime) {
    return beganEpochNanos + (nanoTime - began);
  }
}
