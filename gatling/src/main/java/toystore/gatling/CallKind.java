package toystore.gatling;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

/// A kind of call that an experiment makes, with its checks. Any thread.
public interface CallKind {
  /// One lower-case word, such as `buy`.
  String label();

  /// Whether each call takes a piece from a shelf.
  boolean takesStock();

  /// One call by a [SimulatedClient].
  ///
  /// @param timed puts the stopwatch around a request
  ChainBuilder call(MeasuredStore store, String name, Stopwatch timed);

  /// Puts a stopwatch around a request. What a latency holds, says [HttpCalls].
  interface Stopwatch {
    HttpRequestActionBuilder around(HttpRequestActionBuilder request);
  }
}
