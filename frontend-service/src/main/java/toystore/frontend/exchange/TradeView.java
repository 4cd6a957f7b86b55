package toystore.frontend.exchange;

import com.fasterxml.jackson.annotation.JsonProperty;

/// The JSON view of a trade.
public record TradeView(
    @JsonProperty("trade_id") long tradeId,
    String symbol,
    String shares,
    String price,
    @JsonProperty("executed_at") String executedAt) {}
