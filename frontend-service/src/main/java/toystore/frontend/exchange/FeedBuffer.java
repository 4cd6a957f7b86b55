package toystore.frontend.exchange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The events that one reader has not been sent yet: every trade, and the last depth of each
/// symbol. If there are too many, the reader is too slow: the buffer overflows and stays empty. Any
/// thread.
final class FeedBuffer {
  static final int MAX_TRADES = 2_000;
  private static final int MAX_DEPTHS = 1_000;

  private static final int PINGS = 2;

  private final FeedUser user;
  private final String symbol;
  private final List<FeedEvent> trades = new ArrayList<>();
  private final Map<String, FeedEvent> depths = new LinkedHashMap<>();
  private boolean overflowed;
  private boolean ended;
  private int pings;

  /// @param symbol empty: all symbols
  FeedBuffer(FeedUser user, String symbol) {
    this.user = user;
    this.symbol = symbol;
  }

  FeedUser user() {
    return user;
  }

  /// Adds an event of the reader's symbols. Never waits.
  synchronized void add(FeedEvent event) {
    if (overflowed || ended || !(symbol.isEmpty() || symbol.equals(event.symbol()))) {
      return;
    }
    if (event.isTrade()) {
      trades.add(event);
    } else {
      depths.put(event.symbol(), event);
    }
    if (trades.size() > MAX_TRADES || depths.size() > MAX_DEPTHS) {
      clear();
      overflowed = true;
    }
    notifyAll();
  }

  /// Forgets all events, because the reader is about to receive them in another way.
  synchronized void restart() {
    clear();
    overflowed = false;
  }

  /// Makes [#take] return twice, so that the reader is written to. The first write to a closed
  /// connection is answered by the client's kernel, and the second fails.
  synchronized void ping() {
    pings = PINGS;
    notifyAll();
  }

  /// Makes the reader stop.
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  synchronized boolean hasOverflowed() {
    return overflowed;
  }

  /// Removes and returns all events, trades first. If there are none, waits for the first one; an
  /// empty list means that the time is over, or that the reader was pinged.
  ///
  /// @return empty if the reader must stop
  synchronized Optional<List<FeedEvent>> take(Duration atMost) throws InterruptedException {
    long until = System.nanoTime() + atMost.toNanos();
    while (trades.isEmpty() && depths.isEmpty() && !overflowed && !ended) {
      long millis = (until - System.nanoTime()) / 1_000_000;
      if (millis <= 0 || pings > 0) {
        pings = Math.max(0, pings - 1);
        return Optional.of(List.of());
      }
      wait(millis);
    }
    if (overflowed || ended) {
      return Optional.empty();
    }
    var events = new ArrayList<>(trades);
    events.addAll(depths.values());
    clear();
    return Optional.of(events);
  }

  private void clear() {
    trades.clear();
    depths.clear();
  }
}
