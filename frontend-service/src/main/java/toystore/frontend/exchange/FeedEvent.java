package toystore.frontend.exchange;

import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;
import toystore.frontend.http.json.Json;

/// An event of the feed. All readers share it, so its JSON is written once, and only if a reader
/// needs it.
///
/// @param tradeId 0: the event is a change of depth
record FeedEvent(long tradeId, String symbol, Supplier<String> json) {
  static FeedEvent of(TradeView trade) {
    return new FeedEvent(trade.tradeId(), trade.symbol(), json(trade));
  }

  static FeedEvent of(DepthView depth) {
    return new FeedEvent(0, depth.symbol(), json(depth));
  }

  boolean isTrade() {
    return tradeId > 0;
  }

  private static Supplier<String> json(Object view) {
    return SingletonSupplier.of(() -> Json.text(view));
  }
}
