package toystore.bazaarlab;

import java.io.IOException;

/// One client, with a connection of its own. One thread at a time, but for [#hasUnreadAnswer] and
/// [#close].
interface Caller extends AutoCloseable {
  /// A call that was answered, and rightly.
  ///
  /// @param startNanos before the request was written, by `System.nanoTime()`
  /// @param endNanos when its answer was there
  /// @param refusal why nothing was done, as a reason's name; empty: it was done
  record Answer(String kind, long startNanos, long endNanos, String refusal) {}

  /// Makes a call and waits for its answer.
  ///
  /// @param onSent is run as soon as the request is written, or about to be
  /// @throws IOException where none came in time
  /// @throws WrongAnswer where it is wrong, or an error
  Answer call(Runnable onSent) throws IOException;

  /// Whether something was answered that nobody has read yet.
  boolean hasUnreadAnswer();

  @Override
  void close();
}
