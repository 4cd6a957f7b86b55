package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The calls that clients make on one store, each with its stopwatch and its checks.
///
/// **What a latency holds.** Gatling measures whole milliseconds (its issue 3704), so the stopwatch
/// is ours. It starts in the hook for signing, which Gatling calls on the connection's event loop
/// when the connection is there and the request is about to be encoded and written, and stops in
/// the hook that transforms a response, called on the same event loop as soon as the last byte is
/// decoded, before any check. So it holds: encoding, the way there, the store, the way back,
/// decoding. It does not hold: connecting, Gatling's own work between calls, checks.
///
/// **What is checked.** Every answer: status, body, the right name, a price with a decimal point, a
/// whole quantity, an order number not given before, and no call sent twice.
final class Calls {
  private final URI url;
  private final Shelves shelves;
  private final Set<Long> orderNumbers = ConcurrentHashMap.newKeySet();

  Calls(URI url, Shelves shelves) {
    this.url = url;
    this.shelves = shelves;
  }

  Shelves shelves() {
    return shelves;
  }

  /// @param parts takes what the store says of the call's parts; absent: it is not asked
  ChainBuilder call(Kind kind, String name, Client.Latencies latencies, Optional<Parts> parts) {
    return switch (kind) {
      case QUERY ->
          exec(session -> wanting(session, shelves.look()))
              .exec(
                  timed(
                          http(name).get(session -> url + Client.of(session).path()),
                          latencies,
                          parts)
                      .check(
                          status().is(200),
                          jsonPath("$.data.name").is(session -> Client.of(session).toy()),
                          regex("\"price\"\\s*:\\s*\\d+\\.\\d+\\s*[,}]").exists(),
                          regex("\"quantity\"\\s*:\\s*\\d+\\s*[,}]").exists()));
      case BUY ->
          exec(session -> wanting(session, shelves.take()))
              .exec(
                  timed(http(name).post(url + "/orders"), latencies, parts)
                      .header("Content-Type", "application/json")
                      .body(StringBody(session -> Client.of(session).order()))
                      .check(
                          status().is(200),
                          regex(
                                  "^\\s*\\{\\s*\"data\"\\s*:\\s*\\{\\s*\"order_number\"\\s*:\\s*(\\d+)\\s*}\\s*}\\s*$")
                              .transform(Long::parseLong)
                              .validate("an order number not given before", this::givenOnce)));
    };
  }

  private static Session wanting(Session session, String toy) {
    Client.of(session).wants(toy);
    return session;
  }

  private static HttpRequestActionBuilder timed(
      HttpRequestActionBuilder call, Client.Latencies latencies, Optional<Parts> parts) {
    return (parts.isPresent() ? call.header("Prefer", "server-timing") : call)
        .sign((request, session) -> {
          Client.of(session).start();
          return request;
        })
        .transformResponse((response, session) -> {
          long end = System.nanoTime();
          Client.of(session).stop(end, latencies);
          parts.ifPresent(it -> it.add(response.headers().get("Server-Timing")));
          return response;
        });
  }

  private Long givenOnce(Long number, Session session) {
    if (!orderNumbers.add(number)) {
      throw new IllegalArgumentException("order number " + number + " was given twice");
    }
    return number;
  }
}
