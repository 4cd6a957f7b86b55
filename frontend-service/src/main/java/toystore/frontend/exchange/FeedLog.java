package toystore.frontend.exchange;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The latest trades of the exchange and the last depth of each symbol, which all readers share. A
/// reader is a [Cursor]. Any thread.
final class FeedLog {
  static final int MAX_TRADES = 4_096;
  static final int MAX_DEPTHS = 4_096;

  private final Set<FeedReader> readers = ConcurrentHashMap.newKeySet();
  private final NavigableMap<Long, Event> trades = new TreeMap<>();
  private final NavigableMap<Long, Event> depths = new TreeMap<>(); // by number of the change
  private final Map<String, Long> lastChanges = new HashMap<>(); // by symbol
  private boolean begun;
  private long begin; // every later trade is here
  private long last;
  private long changes;
  private boolean current; // the exchange sends what happens
  private long lastOld; // number of the last change of depth before it did

  /// An event of the feed. All readers share it, so its JSON is written once, and only if a reader
  /// needs it.
  ///
  /// @param tradeId 0: the event is a change of depth
  record Event(long tradeId, String symbol, Supplier<String> json) {
    boolean isTrade() {
      return tradeId > 0;
    }
  }

  /// What a reader knows.
  ///
  /// @param trade number of the last trade
  /// @param change number of the last change of depth, as this log counts them
  record Cursor(long trade, long change) {}

  /// @param events trades first
  /// @param next the reader knows these events, too
  record Page(List<Event> events, Cursor next) {}

  Set<FeedReader> readers() {
    return readers;
  }

  /// Number of the last change of depth.
  synchronized long changes() {
    return changes;
  }

  /// Number of the exchange's last trade.
  synchronized long last() {
    return last;
  }

  synchronized boolean hasBegun() {
    return begun;
  }

  /// All later trades will be added. If the exchange has fewer trades than this log, it was
  /// restored from a backup, and all readers end.
  synchronized void begin(long lastTrade) {
    if (begun && lastTrade < last) {
      readers.forEach(FeedReader::end);
      trades.clear();
    }
    begin = trades.isEmpty() ? lastTrade : begin;
    begun = true;
    current = true;
    last = lastTrade;
  }

  /// The exchange no longer sends what happens, until the next [#begin] and each symbol's next
  /// depth.
  synchronized void end() {
    current = false;
    lastOld = changes;
  }

  void add(Event event) {
    put(event);
    readers.stream().filter(it -> it.reads(event)).forEach(FeedReader::wake);
  }

  private synchronized void put(Event event) {
    if (event.isTrade()) {
      last = event.tradeId();
      trades.put(last, event);
      begin = trades.size() > MAX_TRADES ? trades.pollFirstEntry().getKey() : begin;
      return;
    }
    Long old = lastChanges.put(event.symbol(), ++changes);
    if (old != null) {
      depths.remove(old);
    }
    depths.put(changes, event);
    if (depths.size() > MAX_DEPTHS) {
      lastChanges.remove(depths.pollFirstEntry().getValue().symbol());
    }
  }

  /// Returns what a reader missed that resumes, and the depth of its symbol.
  ///
  /// @param trade number of the last trade that it knows; empty: it begins
  /// @return empty if not all of it is here, or if it may be old
  synchronized Optional<Page> resume(OptionalLong trade, FeedReader reader) {
    String symbol = reader.symbol();
    boolean isKnown = symbol.isEmpty() || lastChanges.getOrDefault(symbol, 0L) > lastOld;
    return current && isKnown && trade.isPresent() && trade.getAsLong() <= last
        ? after(new Cursor(trade.getAsLong(), symbol.isEmpty() ? changes : 0), reader)
        : Optional.empty();
  }

  /// Returns what the reader does not know yet, which may be nothing.
  ///
  /// @return empty if trades that the reader does not know are no longer here
  synchronized Optional<Page> after(Cursor cursor, FeedReader reader) {
    if (!begun) {
      return Optional.of(new Page(List.of(), cursor));
    }
    if (cursor.trade < begin) {
      return Optional.empty();
    }
    var events = new ArrayList<>(trades.tailMap(cursor.trade, false).values());
    events.addAll(depths.tailMap(cursor.change, false).values());
    events.removeIf(it -> !reader.reads(it));
    return Optional.of(new Page(events, new Cursor(Math.max(last, cursor.trade), changes)));
  }
}
