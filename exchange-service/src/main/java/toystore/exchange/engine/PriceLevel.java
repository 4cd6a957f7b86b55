package toystore.exchange.engine;

import org.jspecify.annotations.Nullable;

/// The open orders of one side and price, the earliest first. The sum of their open shares never
/// exceeds `Long.MAX_VALUE`: an order that would exceed it is refused. One thread.
final class PriceLevel {
  final long priceE4;
  long openE4;
  int orders;
  @Nullable OpenOrder first;
  private @Nullable OpenOrder last;

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
  }

  /// Removes an order whose open shares are no longer part of the sum.
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
  }
}
