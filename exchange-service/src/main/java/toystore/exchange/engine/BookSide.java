package toystore.exchange.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One side of an order book, the best price first. A level is removed with its last order. One
/// thread.
final class BookSide {
  /// By the price of an ask and the negative price of a bid: the best is the lowest.
  private final TreeMap<Long, PriceLevel> levels = new TreeMap<>();

  private final int sign;
  private @Nullable PriceLevel best;
  private @Nullable List<MarketDepth.Level> depth; // null: changed since it was asked for
  private int depthCount;

  BookSide(Side side) {
    sign = side == Side.BUY ? -1 : 1;
  }

  /// Null if the best price is worse than the limit.
  @Nullable PriceLevel bestWithin(long limitE4) {
    return best != null && sign * best.priceE4 <= sign * limitE4 ? best : null;
  }

  /// The levels that are at least as good as the limit.
  Iterable<PriceLevel> within(long limitE4) {
    return levels.headMap(sign * limitE4, true).values();
  }

  @Nullable PriceLevel level(long priceE4) {
    return levels.get(sign * priceE4);
  }

  void add(OpenOrder order) {
    PriceLevel level =
        levels.computeIfAbsent(sign * order.limitE4, _ -> new PriceLevel(order.limitE4));
    level.append(order);
    depth = null;
    if (best == null || sign * level.priceE4 < sign * best.priceE4) {
      best = level;
    }
  }

  /// Shares were executed or canceled; removes the order if none of them are open.
  void reduce(PriceLevel level, OpenOrder order, long sharesE4) {
    level.reduce(sharesE4);
    depth = null;
    if (order.openE4 > 0) {
      return;
    }
    level.remove(order);
    if (level.orders == 0) {
      levels.remove(sign * level.priceE4);
      if (level == best) {
        best = levels.isEmpty() ? null : levels.firstEntry().getValue();
      }
    }
  }

  /// The same list as before if nothing has changed.
  List<MarketDepth.Level> depth(int count) {
    if (depth == null || count != depthCount) {
      var found = new ArrayList<MarketDepth.Level>(Math.min(count, levels.size()));
      for (PriceLevel level : levels.values()) {
        if (found.size() == count) {
          break;
        }
        found.add(level.snapshot());
      }
      depth = List.copyOf(found);
      depthCount = count;
    }
    return depth;
  }
}
