package toystore.gatling;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

/// A kind of call of an experiment, with its checks. Any thread.
public interface CallKind {
  /// One lower-case word, such as `buy`.
  String label();

  /// Whether each call reduces the stock by 1.
  boolean takesStock();

  /// Builds one call by a [SimulatedClient].
  ///
  /// @param timed adds the stopwatch to a request
  ChainBuilder call(MeasuredStore store, String name, Stopwatch timed);

  /// Adds a stopwatch to a request. For what a latency includes, see [TimedHttpCalls].
  interface Stopwatch {
    HttpRequestActionBuilder around(HttpRequestActionBuilder request);
  }
}
