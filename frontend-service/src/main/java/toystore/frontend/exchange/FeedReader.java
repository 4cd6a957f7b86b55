package toystore.frontend.exchange;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// A reader of the feed. Any thread.
final class FeedReader {
  private final String user;
  private final long sessionId;
  private final String symbol;
  private final Semaphore events = new Semaphore(0);
  private volatile boolean ended;

  /// @param user such as `buyer 7`
  /// @param sessionId the feed ends with this session; 0: the administrator, who has none
  /// @param symbol empty: all symbols
  FeedReader(String user, long sessionId, String symbol) {
    this.user = user;
    this.sessionId = sessionId;
    this.symbol = symbol;
  }

  String user() {
    return user;
  }

  long sessionId() {
    return sessionId;
  }

  String symbol() {
    return symbol;
  }

  boolean reads(FeedEvent event) {
    return symbol.isEmpty() || symbol.equals(event.symbol());
  }

  void wake() {
    events.release();
  }

  void end() {
    ended = true;
    wake();
  }

  boolean hasEnded() {
    return ended;
  }

  /// @return whether the reader was woken
  boolean await(Duration atMost) throws InterruptedException {
    boolean woken = events.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
    events.drainPermits();
    return woken;
  }
}
