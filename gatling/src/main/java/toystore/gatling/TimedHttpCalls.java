package toystore.gatling;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import org.jspecify.annotations.Nullable;

/// The calls that clients make, with a stopwatch.
///
/// **What a latency includes.** Gatling measures whole milliseconds (its issue 3704), so this class
/// has its own stopwatch. It starts in the hook for signing, which Gatling calls on the
/// connection's event loop when the connection is open and the request is about to be encoded and
/// written. It stops in the hook that transforms a response, which Gatling calls on the same event
/// loop as soon as the last byte is decoded, before any check. A latency includes encoding, the
/// network in both directions, the store, and decoding. It excludes connecting, Gatling's own work
/// between calls, and the checks.
final class TimedHttpCalls {
  private TimedHttpCalls() {}

  /// Calls whose times are added to `latencies`.
  static ChainBuilder timed(
      CallKind kind, MeasuredStore store, String name, SimulatedClient.Latencies latencies) {
    return kind.call(store, name, request -> timed(request, latencies, null));
  }

  /// Calls that request the times of their parts from the store.
  static ChainBuilder withParts(
      CallKind kind, MeasuredStore store, String name, ServerTimingParts parts) {
    return kind.call(
        store, name, request -> timed(request.header("Prefer", "server-timing"), parts, parts));
  }

  private static HttpRequestActionBuilder timed(
      HttpRequestActionBuilder request,
      SimulatedClient.Latencies latencies,
      @Nullable ServerTimingParts parts) {
    return request
        .sign((encoded, session) -> {
          SimulatedClient.of(session).start();
          return encoded;
        })
        .transformResponse((response, session) -> {
          SimulatedClient.of(session).stop(System.nanoTime(), latencies);
          if (parts != null) {
            parts.add(response.headers().get("Server-Timing"));
          }
          return response;
        });
  }
}
