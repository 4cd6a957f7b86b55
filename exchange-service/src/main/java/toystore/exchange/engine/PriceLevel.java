package toystore.exchange.engine;

import org.jspecify.annotations.Nullable;

/// The open orders of one side and price, the earliest first. An order is refused if the sum of
/// open shares would exceed `Long.MAX_VALUE`. One thread.
final class PriceLevel {
  final long priceE4;
  long openE4;
  int orders;
  @Nullable OpenOrder first;
  private @Nullable OpenOrder last;
  private MarketDepth.@Nullable Level snapshot; // null: changed since it was asked for

  PriceLevel(long priceE4) {
    this.priceE4 = priceE4;
  }

  void append(OpenOrder order) {
    order.level = this;
    order.previous = last;
    if (last == null) {
      first = order;
    } else {
      last.next = order;
    }
    last = order;
    openE4 += order.openE4;
    orders++;
    snapshot = null;
  }

  /// Shares are executed or canceled now.
  void reduce(long sharesE4) {
    openE4 -= sharesE4;
    snapshot = null;
  }

  MarketDepth.Level snapshot() {
    if (snapshot == null) {
      snapshot = new MarketDepth.Level(priceE4, openE4, orders);
    }
    return snapshot;
  }

  /// Its open shares are no longer part of the sum.
  void remove(OpenOrder order) {
    OpenOrder before = order.previous;
    OpenOrder after = order.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    order.level = null;
    order.previous = null;
    order.next = null;
    orders--;
    snapshot = null;
  }
}
