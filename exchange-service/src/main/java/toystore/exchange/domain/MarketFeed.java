package toystore.exchange.domain;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.MarketDepth;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Symbol;

/// The committed depth of each symbol, and the readers of its changes and of trades. The writer
/// never waits for a reader: one whose buffer is full is dropped.
///
/// Any thread. The lock is held while a commit is added to the buffers or a reader subscribes, so
/// that a reader's first state and its events fit together without gap.
public final class MarketFeed {
  /// Maximum number of readers.
  public static final int OF_USER = 5;

  private static final int BUFFER = 10_000; // events that wait for a reader
  private static final int KEPT = 10; // one place in ten is kept for frontends

  private final int maxSubscriptions;
  private final Map<String, MarketDepth> depths = new ConcurrentHashMap<>();
  private final Set<FeedSubscription> subscriptions = new LinkedHashSet<>();
  private volatile int subscribed;
  private long lastTrade;

  public MarketFeed(int maxSubscriptions) {
    this.maxSubscriptions = maxSubscriptions;
  }

  public sealed interface Admission {
    record Subscribed(FeedSubscription subscription) implements Admission {}

    record UserHasTooMany() implements Admission {}

    /// All places but those that are kept for frontends are taken.
    record Full(int places) implements Admission {}
  }

  /// After a start.
  public synchronized void load(long loadedLastTrade, List<MarketDepth> loadedDepths) {
    lastTrade = loadedLastTrade;
    loadedDepths.forEach(it -> depths.put(it.symbol().name(), it));
  }

  /// Writer's thread.
  ///
  /// @param changed depths that may have changed
  public synchronized void publish(
      List<Symbol> newSymbols, List<MatchedTrade> trades, List<MarketDepth> changed) {
    List<MarketEvent> events = new ArrayList<>(trades.size() + changed.size());
    for (Symbol symbol : newSymbols) {
      depths.putIfAbsent(symbol.name(), new MarketDepth(symbol, List.of(), List.of()));
    }
    for (MatchedTrade trade : trades) {
      events.add(new MarketEvent.Traded(trade));
      lastTrade = trade.number();
    }
    for (MarketDepth depth : changed) {
      if (!depth.equals(depths.put(depth.symbol().name(), depth))) {
        events.add(new MarketEvent.DepthChanged(depth));
      }
    }
    if (!events.isEmpty()) {
      subscriptions.forEach(it -> it.offer(events));
      if (subscriptions.removeIf(FeedSubscription::hasOverflowed)) {
        subscribed = subscriptions.size();
      }
    }
  }

  /// Null if the symbol is unknown.
  public @Nullable MarketDepth depth(String symbol) {
    return depths.get(symbol);
  }

  /// @param owner null: the administrator, as frontends read for all their readers
  /// @param symbol a known one; null: all
  /// @param onEvents called on the writer's thread after events were added or the reader was
  ///   dropped; must not block
  public synchronized Admission subscribe(
      @Nullable String owner, @Nullable String symbol, Runnable onEvents) {
    int places = owner == null ? maxSubscriptions : maxSubscriptions - maxSubscriptions / KEPT;
    if (subscriptions.size() >= places) {
      return new Admission.Full(places);
    }
    if (owner != null
        && subscriptions.stream().filter(it -> owner.equals(it.owner())).count() >= OF_USER) {
      return new Admission.UserHasTooMany();
    }
    List<MarketDepth> now =
        symbol == null
            ? List.copyOf(depths.values())
            : Optional.ofNullable(depths.get(symbol)).stream().toList();
    var subscription = new FeedSubscription(owner, symbol, lastTrade, now, BUFFER, onEvents);
    subscriptions.add(subscription);
    subscribed = subscriptions.size();
    return new Admission.Subscribed(subscription);
  }

  public synchronized void unsubscribe(FeedSubscription subscription) {
    subscriptions.remove(subscription);
    subscribed = subscriptions.size();
  }

  public int subscriptions() {
    return subscribed;
  }
}
