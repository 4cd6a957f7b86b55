package toystore.gatling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.gatling.javaapi.core.Session;
import java.util.Objects;

/// One client of the store: the toy its next call is about, and its stopwatch. It has one call
/// under way at a time and lives in its Gatling session, on one event loop: one thread.
final class Client {
  private static final String KEY = "client";

  private String toy = "";
  private boolean underWay;
  private long startNanos;

  static Session join(Session session) {
    return session.set(KEY, new Client());
  }

  static Client of(Session session) {
    return Objects.requireNonNull(session.<Client>get(KEY), KEY);
  }

  void wants(String toy) {
    this.toy = toy;
  }

  String toy() {
    return toy;
  }

  String path() {
    return Catalog.path(toy);
  }

  /// The body of an order of one piece.
  String order() {
    return JsonNodeFactory.instance.objectNode().put("name", toy).put("quantity", 1).toString();
  }

  /// @throws IllegalStateException when the call is under way already: Gatling sends a call again
  ///   when its kept-alive connection is closed before an answer, and a buy must not happen twice
  ///   unseen
  void start() {
    if (underWay) {
      throw new IllegalStateException("connection closed before the answer");
    }
    underWay = true;
    startNanos = System.nanoTime();
  }

  /// When the call that ends here was started.
  long stop() {
    underWay = false;
    return startNanos;
  }
}
