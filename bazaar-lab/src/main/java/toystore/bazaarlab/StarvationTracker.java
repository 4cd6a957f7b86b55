package toystore.bazaarlab;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// How long clients waited for their first answers, and which clients starved: they were not served
/// until another client disconnected. All clients have sent a request before the first one
/// disconnects. Any thread.
final class StarvationTracker {
  private final int clients;
  private final Set<Integer> answered = ConcurrentHashMap.newKeySet();
  private final Set<Integer> starved = ConcurrentHashMap.newKeySet();
  private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

  StarvationTracker(int clients) {
    this.clients = clients;
  }

  /// Records the first answer of a client. Clients are numbered from 0.
  void answered(int client, long waitedNanos) {
    answered.add(client);
    longestNanos.accumulate(waitedNanos);
  }

  /// Records that a client has made all its calls and is about to disconnect. Clients without an
  /// answer at this time have starved.
  ///
  /// @param hasUnreadAnswer whether a client's answer has arrived but is not read yet
  void leave(int client, IntPredicate hasUnreadAnswer) {
    IntStream.range(0, clients)
        .filter(
            other -> other != client && !answered.contains(other) && !hasUnreadAnswer.test(other))
        .forEach(starved::add);
  }

  /// Number of clients that had to wait until another disconnected.
  int starved() {
    return starved.size();
  }

  double longestMillis() {
    return longestNanos.get() / 1e6;
  }
}
