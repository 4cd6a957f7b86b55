package toystore.exchange.engine;

import java.util.List;

/// What the commands since the previous [MatchingEngine#takeChanges()] created or changed: each
/// account, position and order once, as it is after the last command. New ones are in the order of
/// their numbers.
///
/// @param symbols new symbols
/// @param orders new and changed orders, including those that are closed now
/// @param trades in the order in which they were made
/// @param depths symbols whose [MarketDepth] may have changed
public record EngineChanges(
    List<CashAccount> accounts,
    List<Symbol> symbols,
    List<Position> positions,
    List<LimitOrder> orders,
    List<MatchedTrade> trades,
    List<Symbol> depths) {}
