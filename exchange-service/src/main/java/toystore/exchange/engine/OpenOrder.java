package toystore.exchange.engine;

import org.jspecify.annotations.Nullable;

/// An order with the account and position that it changes. Open orders of one price are a linked
/// list ([PriceLevel]). One thread.
final class OpenOrder {
  final long number;
  final PositionState position;
  final Side side;
  final long sharesE4;
  final long limitE4;
  final long openedAt;
  long openE4;
  long canceledE4;
  long canceledAt;
  boolean changed;
  @Nullable PriceLevel level;
  @Nullable OpenOrder previous;
  @Nullable OpenOrder next;

  OpenOrder(
      long number, PositionState position, Side side, long sharesE4, long limitE4, long openedAt) {
    this.number = number;
    this.position = position;
    this.side = side;
    this.sharesE4 = sharesE4;
    this.limitE4 = limitE4;
    this.openedAt = openedAt;
    openE4 = sharesE4;
  }

  /// Moves cash or shares of the open shares to the reservation.
  void reserve() {
    expect(openE4);
    if (side == Side.BUY) {
      position.account.cashE8 -= openE4 * limitE4;
      position.account.reservedE8 += openE4 * limitE4;
    } else {
      position.sharesE4 -= openE4;
      position.reservedE4 += openE4;
    }
  }

  /// @param sharesE4 less than 0 if a part was executed or canceled
  void expect(long sharesE4) {
    if (side == Side.BUY) {
      position.expectedE4 += sharesE4;
    } else {
      position.account.expectedE8 += sharesE4 * limitE4;
    }
  }

  /// A buyer whose limit is above the price gets the difference back.
  void execute(long sharesE4, long priceE4) {
    expect(-sharesE4);
    openE4 -= sharesE4;
    if (side == Side.BUY) {
      position.account.reservedE8 -= sharesE4 * limitE4;
      position.account.cashE8 += sharesE4 * (limitE4 - priceE4);
      position.sharesE4 += sharesE4;
    } else {
      position.reservedE4 -= sharesE4;
      position.account.cashE8 += sharesE4 * priceE4;
    }
  }

  /// Returns cash or shares of the open shares.
  void cancel(long time) {
    expect(-openE4);
    if (side == Side.BUY) {
      position.account.reservedE8 -= openE4 * limitE4;
      position.account.cashE8 += openE4 * limitE4;
    } else {
      position.reservedE4 -= openE4;
      position.sharesE4 += openE4;
    }
    canceledE4 = openE4;
    canceledAt = time;
    openE4 = 0;
  }

  LimitOrder snapshot() {
    return new LimitOrder(
        number,
        position.account.number,
        position.book.symbol,
        side,
        sharesE4,
        limitE4,
        openE4,
        canceledE4,
        openedAt,
        canceledAt);
  }
}
