package toystore.gatling;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

/// A kind of call that an experiment makes, with its checks. Any thread.
public interface Kind {
  /// One lower-case word, such as `buy`.
  String word();

  /// Whether each call takes a piece from a shelf.
  boolean takesStock();

  /// One call by a [Client].
  ///
  /// @param timed puts the stopwatch around a request
  ChainBuilder call(Store store, String name, Stopwatch timed);

  /// Puts a stopwatch around a request. What a latency holds, says [Calls].
  interface Stopwatch {
    HttpRequestActionBuilder around(HttpRequestActionBuilder request);
  }
}
