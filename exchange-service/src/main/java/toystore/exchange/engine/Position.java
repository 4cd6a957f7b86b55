package toystore.exchange.engine;

/// An account's shares of one symbol after the last command. A position exists once the account has
/// received shares. Numbers start at 1 and have no gap.
///
/// @param account the account's number
/// @param sharesE4 shares that are not reserved
/// @param reservedE4 shares that open sell orders reserve
public record Position(long number, long account, Symbol symbol, long sharesE4, long reservedE4) {}
