package toystore.exchange.engine;

/// A limit order after the last command. Numbers start at 1 and have no gap.
///
/// @param account its number
/// @param sharesE4 ordered: executed + open + canceled
/// @param limitE4 of one share
/// @param canceledAt 0 if it was not canceled
public record LimitOrder(
    long number,
    long account,
    Symbol symbol,
    Side side,
    long sharesE4,
    long limitE4,
    long openE4,
    long canceledE4,
    long openedAt,
    long canceledAt) {

  public long executedE4() {
    return sharesE4 - openE4 - canceledE4;
  }
}
