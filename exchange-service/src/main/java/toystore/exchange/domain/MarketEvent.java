package toystore.exchange.domain;

import toystore.exchange.engine.MarketDepth;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Symbol;

/// What the feed sends to its readers.
public sealed interface MarketEvent {
  Symbol symbol();

  record Traded(MatchedTrade trade) implements MarketEvent {
    @Override
    public Symbol symbol() {
      return trade.symbol();
    }
  }

  record DepthChanged(MarketDepth depth) implements MarketEvent {
    @Override
    public Symbol symbol() {
      return depth.symbol();
    }
  }
}
