package toystore.lab.simulation;

import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import toystore.lab.load.CallRecorder;

/// Measures calls in nanoseconds, because Gatling measures whole milliseconds (its issue 3704). The
/// time begins in the hook for signing, which Gatling calls on the connection's event loop when the
/// connection is open and the request is about to be written. It ends in the hook that transforms a
/// response, on the same event loop, as soon as the last byte is decoded and before any check. A
/// wrong response therefore counts here too, but it fails the simulation. Any thread.
final class CallTimer {
  private static final String BEGIN = "call-begin";

  private final AtomicReference<@Nullable CallRecorder> recorder = new AtomicReference<>();

  /// Sets where calls that begin from now on are recorded; null: nowhere.
  void record(@Nullable CallRecorder cell) {
    recorder.set(cell);
  }

  /// Adds the timer to a request.
  HttpRequestActionBuilder timed(HttpRequestActionBuilder request) {
    return request
        .sign((encoded, session) -> {
          begin(session).nanos = System.nanoTime();
          begin(session).recorder = recorder.get();
          return encoded;
        })
        .transformResponse((response, session) -> {
          long end = System.nanoTime();
          Begin begin = begin(session);
          CallRecorder cell = begin.recorder;
          if (cell != null) {
            cell.add(end - begin.nanos);
            String parts = response.headers().get("Server-Timing");
            if (parts != null) {
              cell.addParts(parts, end - begin.nanos);
            }
          }
          return response;
        });
  }

  /// The begin of the one call that a virtual user has in progress; event loop of its session.
  private static final class Begin {
    long nanos;
    @Nullable CallRecorder recorder;
  }

  /// Adds what a virtual user needs; its first step.
  static Session addTo(Session session) {
    return session.set(BEGIN, new Begin());
  }

  private static Begin begin(Session session) {
    return java.util.Objects.requireNonNull(session.<Begin>get(BEGIN), BEGIN);
  }
}
