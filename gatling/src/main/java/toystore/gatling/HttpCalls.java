package toystore.gatling;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import org.jspecify.annotations.Nullable;

/// The calls that clients make, each with its stopwatch.
///
/// **What a latency holds.** Gatling measures whole milliseconds (its issue 3704), so the stopwatch
/// is ours. It starts in the hook for signing, which Gatling calls on the connection's event loop
/// when the connection is there and the request is about to be encoded and written, and stops in
/// the hook that transforms a response, called on the same event loop as soon as the last byte is
/// decoded, before any check. So it holds: encoding, the way there, the store, the way back,
/// decoding. It does not hold: connecting, Gatling's own work between calls, checks.
final class HttpCalls {
  private HttpCalls() {}

  /// Calls whose times are added somewhere.
  static ChainBuilder timed(
      CallKind kind, MeasuredStore store, String name, SimulatedClient.Latencies latencies) {
    return kind.call(store, name, request -> timed(request, latencies, null));
  }

  /// Calls that ask the store what their parts took.
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
