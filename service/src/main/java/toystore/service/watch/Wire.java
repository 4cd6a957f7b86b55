package toystore.service.watch;

import io.grpc.Metadata;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a [Trail] crosses from one service to the next, in a call's metadata.
///
/// ```
/// request   traceparent, tracestate   W3C Trace Context
///           toystore-timing: 1        the times of the parts are asked for
/// trailers  server-timing             those times
/// ```
final class Wire {
  private static final Metadata.Key<String> PARENT = key("traceparent");
  private static final Metadata.Key<String> STATE = key("tracestate");
  private static final Metadata.Key<String> TIMED = key("toystore-timing");
  private static final Metadata.Key<String> TIMES = key("server-timing");

  /// A longer `tracestate` is dropped, as the W3C allows: all of a call's metadata has 8 kB.
  private static final int STATE_LENGTH = 512;

  private Wire() {}

  static boolean isTraced(Metadata request) {
    return request.containsKey(PARENT);
  }

  static boolean isTimed(Metadata request) {
    return request.containsKey(TIMED);
  }

  static Context parent(Metadata request) {
    return parent(request.get(PARENT), request.get(STATE));
  }

  /// The caller's place in a trace; the root context where the headers are absent or of another
  /// form.
  static Context parent(@Nullable String traceparent, @Nullable String tracestate) {
    return traceparent == null
        ? Context.root()
        : W3CTraceContextPropagator.getInstance()
            .extract(Context.root(), new Headers(traceparent, bounded(tracestate)), Headers.GETTER);
  }

  private static @Nullable String bounded(@Nullable String tracestate) {
    return tracestate == null || tracestate.length() <= STATE_LENGTH ? tracestate : null;
  }

  static void ask(Metadata request, Span caller, boolean timed) {
    W3CTraceContextPropagator.getInstance().inject(Context.root().with(caller), request, Wire::put);
    if (timed) {
      request.put(TIMED, "1");
    }
  }

  static void answer(Metadata trailers, String times) {
    trailers.put(TIMES, times);
  }

  static void read(Metadata trailers, Timings into) {
    String times = trailers.get(TIMES);
    if (times != null) {
      into.add(times);
    }
  }

  private static void put(@Nullable Metadata request, String header, String value) {
    if (request != null) {
      request.put(key(header), value);
    }
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private record Headers(String traceparent, @Nullable String tracestate) {
    static final TextMapGetter<Headers> GETTER =
        new TextMapGetter<>() {
          @Override
          public Iterable<String> keys(Headers headers) {
            return List.of("traceparent", "tracestate");
          }

          @Override
          public @Nullable String get(@Nullable Headers headers, String name) {
            if (headers == null) {
              return null;
            }
            return switch (name) {
              case "traceparent" -> headers.traceparent;
              case "tracestate" -> headers.tracestate;
              default -> null;
            };
          }
        };
  }
}
