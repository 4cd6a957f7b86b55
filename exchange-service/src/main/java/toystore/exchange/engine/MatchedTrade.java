package toystore.exchange.engine;

/// Shares that changed hands between two orders. Numbers start at 1 and have no gap.
///
/// @param priceE4 the limit of the order that was open first
/// @param executedAt the time given with the later order
public record MatchedTrade(
    long number,
    Symbol symbol,
    long priceE4,
    long sharesE4,
    long buyOrder,
    long sellOrder,
    long executedAt) {}
