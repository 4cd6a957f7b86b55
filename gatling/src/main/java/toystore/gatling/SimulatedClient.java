package toystore.gatling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.gatling.javaapi.core.Session;
import java.util.Objects;

/// One client of the store: the product of its next call, and its stopwatch. It has one call in
/// progress at a time and is stored in its Gatling session, on one event loop. One thread.
final class SimulatedClient {
  private static final String KEY = "client";
  private static final long NONE = Long.MIN_VALUE;

  private String product = "";
  private boolean sellsNext;
  private boolean underWay;
  private long startNanos;
  private long answeredNanos = NONE;

  static Session addTo(Session session) {
    return session.set(KEY, new SimulatedClient());
  }

  static SimulatedClient of(Session session) {
    return Objects.requireNonNull(session.<SimulatedClient>get(KEY), KEY);
  }

  /// Sets the product of the next call.
  static Session withProduct(Session session, String product) {
    of(session).product = product;
    return session;
  }

  String product() {
    return product;
  }

  String path() {
    return StoreProducts.path(product);
  }

  /// The body of an order of 1 unit.
  String order() {
    return JsonNodeFactory.instance.objectNode().put("name", product).put("quantity", 1).toString();
  }

  /// The body of a trade of 1 unit, alternately bought and sold.
  String trade() {
    sellsNext = !sellsNext;
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", product)
        .put("quantity", 1)
        .put("type", sellsNext ? "buy" : "sell")
        .toString();
  }

  /// @throws IllegalStateException if a call is already in progress: Gatling resends a call if its
  ///   connection closes before a response, and a buy must not be repeated unnoticed
  void start() {
    if (underWay) {
      throw new IllegalStateException(
          "connection closed before the response; the store may have processed the request");
    }
    underWay = true;
    startNanos = System.nanoTime();
  }

  /// Records the response of the call.
  void stop(long endNanos, Latencies latencies) {
    underWay = false;
    latencies.add(startNanos, endNanos);
    if (answeredNanos != NONE) {
      latencies.addGap(startNanos - answeredNanos);
    }
    answeredNanos = endNanos;
  }

  /// Excludes the gap before the next call, in which the client waits for other clients.
  void resetGap() {
    answeredNanos = NONE;
  }

  /// Receives the start and end of each call, by `System.nanoTime()`.
  interface Latencies {
    void add(long startNanos, long endNanos);

    default void addGap(long nanos) {}
  }
}
