package toystore.lab.simulation;

import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import toystore.lab.load.CallRecorder;

/// Measures calls in nanoseconds, because Gatling measures whole milliseconds (its issue 3704). The
/// time begins in the hook for signing, which Gatling calls on the connection's event loop when the
/// connection is open and the request is about to be written. It ends in the hook that transforms a
/// response, on the same event loop, as soon as the last byte is decoded and before any check. A
/// wrong response therefore counts here too, but it fails the simulation. Any thread.
final class CallTimer {
  private static final String CALL = "call";

  private final AtomicReference<Target> target = new AtomicReference<>(Target.NONE);

  /// Where calls are recorded, by kind.
  ///
  /// @param traceEvery each client asks for the parts of every n-th call; 0: never
  record Target(Map<String, CallRecorder> recorders, int traceEvery) {
    static final Target NONE = new Target(Map.of(), 0);
  }

  /// Sets where calls that begin from now on are recorded.
  void record(Target recorders) {
    target.set(recorders);
  }

  /// Adds the timer to a request.
  HttpRequestActionBuilder timed(String kind, HttpRequestActionBuilder request) {
    return request
        .sign((encoded, session) -> {
          Call call = call(session);
          Target now = target.get();
          call.recorder = now.recorders().get(kind);
          if (now.traceEvery() > 0 && ++call.count % now.traceEvery() == 0) {
            encoded.getHeaders().set("Prefer", "server-timing");
          }
          call.beginNanos = System.nanoTime();
          return encoded;
        })
        .transformResponse((response, session) -> {
          long end = System.nanoTime();
          Call call = call(session);
          CallRecorder cell = call.recorder;
          if (cell != null) {
            long nanos = end - call.beginNanos;
            cell.add(nanos);
            String parts = response.headers().get("Server-Timing");
            if (parts != null) {
              cell.addParts(parts, nanos);
            }
          }
          return response;
        });
  }

  /// The one call that a virtual user has in progress; event loop of its session.
  private static final class Call {
    long count; // while calls are traced
    long beginNanos;
    @Nullable CallRecorder recorder;
  }

  /// Adds what a virtual user needs; its first step.
  static Session addTo(Session session) {
    return session.set(CALL, new Call());
  }

  private static Call call(Session session) {
    return Objects.requireNonNull(session.<Call>get(CALL), CALL);
  }
}
