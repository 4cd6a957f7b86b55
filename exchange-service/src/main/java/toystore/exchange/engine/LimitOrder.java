package toystore.exchange.engine;

/// A limit order after the last command. Numbers start at 1 and have no gap.
///
/// @param account the account's number
/// @param sharesE4 shares that were ordered: executed + open + canceled
/// @param limitE4 highest price of a buy order, lowest of a sell order, for one share
/// @param openedAt the time given with the order
/// @param canceledAt the time given with the cancel command; 0 if the order was not canceled
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
