package toystore.bazaarlab;

import java.io.IOException;

/// One client with its own connection. One thread at a time, except for [#hasUnreadAnswer] and
/// [#close].
interface Caller extends AutoCloseable {
  /// The result of a call whose response passed the checks.
  ///
  /// @param startNanos before the request was written, by `System.nanoTime()`
  /// @param endNanos when the response had arrived
  /// @param refusal the reason's name if the service refused the call; empty: the call was
  ///   processed
  record Answer(String kind, long startNanos, long endNanos, String refusal) {}

  /// Makes a call and waits for its response.
  ///
  /// @param onSent runs as soon as the request is written, or immediately before
  /// @throws IOException if no response arrived in time
  /// @throws WrongResponseException if the response is wrong or an error
  Answer call(Runnable onSent) throws IOException;

  /// Whether a response has arrived that is not read yet.
  boolean hasUnreadAnswer();

  @Override
  void close();
}
