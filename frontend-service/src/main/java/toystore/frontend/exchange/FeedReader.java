package toystore.frontend.exchange;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A reader of the feed. Any thread.
///
/// @param user such as `buyer 7`
/// @param sessionId the feed ends with this session; 0: the administrator, who has none
/// @param symbol empty: all symbols
record FeedReader(
    String user, long sessionId, String symbol, Semaphore events, AtomicBoolean ended) {
  FeedReader(String user, long sessionId, String symbol) {
    this(user, sessionId, symbol, new Semaphore(0), new AtomicBoolean());
  }

  boolean reads(FeedLog.Event event) {
    return symbol.isEmpty() || symbol.equals(event.symbol());
  }

  void wake() {
    events.release();
  }

  void end() {
    ended.set(true);
    wake();
  }

  boolean hasEnded() {
    return ended.get();
  }

  /// @return whether the reader was woken
  boolean await(Duration atMost) throws InterruptedException {
    boolean woken = events.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
    events.drainPermits();
    return woken;
  }
}
