package toystore.gatling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.gatling.javaapi.core.Session;
import java.util.Objects;

/// One client of the store: the toy its next call is about, and its stopwatch. It has one call
/// under way at a time and lives in its Gatling session, on one event loop: one thread.
final class Client {
  private static final String KEY = "client";

  private String toy = "";
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

  void start() {
    startNanos = System.nanoTime();
  }

  long startNanos() {
    return startNanos;
  }
}
