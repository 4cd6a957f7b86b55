package toystore.exchange.engine;

/// Shares of one symbol after the last command. It exists once the account has received shares.
/// Numbers start at 1 and have no gap.
///
/// @param account its number
/// @param sharesE4 not reserved
/// @param reservedE4 of open sell orders
public record Position(long number, long account, Symbol symbol, long sharesE4, long reservedE4) {}
