package toystore.frontend.exchange;

/// The JSON view of a trade.
public record TradeView(
    long tradeId, String symbol, String shares, String price, String executedAt) {}
