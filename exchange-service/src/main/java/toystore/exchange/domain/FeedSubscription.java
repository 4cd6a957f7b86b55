package toystore.exchange.domain;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.MarketDepth;

/// A reader of the feed: the state when it subscribed, and a bounded buffer of the events since.
/// Any thread; one at a time polls.
public final class FeedSubscription {
  private final @Nullable String owner;
  private final @Nullable String symbol;
  private final long lastTrade;
  private final List<MarketDepth> depths;
  private final Runnable onEvents;
  private final Queue<MarketEvent> events;
  private volatile boolean overflowed;

  FeedSubscription(
      @Nullable String owner,
      @Nullable String symbol,
      long lastTrade,
      List<MarketDepth> depths,
      int buffer,
      Runnable onEvents) {
    this.owner = owner;
    this.symbol = symbol;
    this.lastTrade = lastTrade;
    this.depths = depths;
    this.onEvents = onEvents;
    this.events = new LinkedBlockingQueue<>(buffer);
  }

  /// Null: the administrator.
  @Nullable String owner() {
    return owner;
  }

  /// Number of the last trade before the events.
  public long lastTrade() {
    return lastTrade;
  }

  /// Those before the events.
  public List<MarketDepth> depths() {
    return depths;
  }

  /// Null if there is none now.
  public @Nullable MarketEvent poll() {
    return events.poll();
  }

  /// Whether an event was lost because the buffer was full.
  public boolean hasOverflowed() {
    return overflowed;
  }

  /// Never blocks.
  void offer(List<MarketEvent> published) {
    boolean added = false;
    for (MarketEvent event : published) {
      if (symbol == null || symbol.equals(event.symbol().name())) {
        if (!events.offer(event)) {
          overflowed = true;
          events.clear();
          break;
        }
        added = true;
      }
    }
    if (added || overflowed) {
      onEvents.run();
    }
  }
}
