package toystore.exchange.domain;

/// Shares that were added to a position from outside.
///
/// @param number from 1, without gap
/// @param position number of the position
/// @param symbol number of its symbol
/// @param depositedAt ms since 1970
public record ShareDeposit(
    long number, long position, long symbol, long sharesE4, long depositedAt) {}
