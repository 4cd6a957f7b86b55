package toystore.exchange.domain;

import java.util.List;
import toystore.exchange.engine.MatchedTrade;

/// Trades of an order, in their order.
///
/// @param omitted number of its other trades; at least 1 where a page follows
public record TradePage(List<MatchedTrade> trades, long omitted) {
  public static final TradePage NONE = new TradePage(List.of(), 0);

  /// Of a list that has one more if there are more.
  public static TradePage first(List<MatchedTrade> oneMore, int limit) {
    return oneMore.size() <= limit
        ? new TradePage(oneMore, 0)
        : new TradePage(oneMore.subList(0, limit), 1);
  }
}
