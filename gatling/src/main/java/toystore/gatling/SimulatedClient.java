package toystore.gatling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.gatling.javaapi.core.Session;
import java.util.Objects;

/// One client of the store: the toy its next call is about, and its stopwatch. It has one call
/// under way at a time and lives in its Gatling session, on one event loop: one thread.
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

  /// Its next call is about this toy.
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

  /// The body of an order of one piece.
  String order() {
    return JsonNodeFactory.instance.objectNode().put("name", product).put("quantity", 1).toString();
  }

  /// The body of a trade of one piece: bought and sold in turn.
  String trade() {
    sellsNext = !sellsNext;
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", product)
        .put("quantity", 1)
        .put("type", sellsNext ? "buy" : "sell")
        .toString();
  }

  /// @throws IllegalStateException when the call is under way already: Gatling sends a call again
  ///   when its kept-alive connection is closed before an answer, and a buy must not happen twice
  ///   unseen
  void start() {
    if (underWay) {
      throw new IllegalStateException(
          "connection closed before the response; the store may have processed the request");
    }
    underWay = true;
    startNanos = System.nanoTime();
  }

  /// The call that was started is answered.
  void stop(long endNanos, Latencies latencies) {
    underWay = false;
    latencies.add(startNanos, endNanos);
    if (answeredNanos != NONE) {
      latencies.addGap(startNanos - answeredNanos);
    }
    answeredNanos = endNanos;
  }

  /// Lets the gap to the next call go uncounted: other clients are waited for.
  void resetGap() {
    answeredNanos = NONE;
  }

  /// Where the start and end of each call go, by `System.nanoTime()`.
  interface Latencies {
    void add(long startNanos, long endNanos);

    default void addGap(long nanos) {}
  }
}
