package toystore.exchange.engine;

import java.util.List;

/// What was created or changed since the previous [MatchingEngine#takeChanges()]: each account,
/// position and order once, as after the last command, new ones in the order of their numbers.
///
/// @param symbols new ones
/// @param orders also those that are closed now
/// @param trades in the order in which they were made
/// @param depths symbols whose [MarketDepth] may have changed
public record EngineChanges(
    List<CashAccount> accounts,
    List<Symbol> symbols,
    List<Position> positions,
    List<LimitOrder> orders,
    List<MatchedTrade> trades,
    List<Symbol> depths) {}
