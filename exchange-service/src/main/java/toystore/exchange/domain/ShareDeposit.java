package toystore.exchange.domain;

/// Shares that were added to a position from outside. Numbers start at 1 and have no gap.
///
/// @param position number of the position
/// @param symbol number of the symbol
/// @param depositedAt ms since 1970
public record ShareDeposit(
    long number, long position, long symbol, long sharesE4, long depositedAt) {}
