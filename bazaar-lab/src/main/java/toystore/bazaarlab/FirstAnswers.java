package toystore.bazaarlab;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// How long clients waited for their first answers, and which of them were not served before
/// another left: those a pool of threads starved. All have asked before one leaves. Any thread.
final class FirstAnswers {
  private final int clients;
  private final Set<Integer> answered = ConcurrentHashMap.newKeySet();
  private final Set<Integer> starved = ConcurrentHashMap.newKeySet();
  private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

  FirstAnswers(int clients) {
    this.clients = clients;
  }

  /// A client, counted from 0, has its first answer.
  void answered(int client, long waitedNanos) {
    answered.add(client);
    longestNanos.accumulate(waitedNanos);
  }

  /// A client has made all its calls and is about to leave. Those without an answer waited for
  /// that.
  ///
  /// @param hasUnreadAnswer whether a client's answer is on its way to it
  void leave(int client, IntPredicate hasUnreadAnswer) {
    IntStream.range(0, clients)
        .filter(
            other -> other != client && !answered.contains(other) && !hasUnreadAnswer.test(other))
        .forEach(starved::add);
  }

  /// How many clients had to wait until another left.
  int starved() {
    return starved.size();
  }

  double longestMillis() {
    return longestNanos.get() / 1e6;
  }
}
