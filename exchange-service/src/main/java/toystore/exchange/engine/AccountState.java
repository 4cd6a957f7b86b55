package toystore.exchange.engine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An account in the engine. One thread. Cash cannot overflow: only a new sell order increases
/// [#boundE8()], and it is refused if that would exceed `Long.MAX_VALUE`.
final class AccountState {
  final long number;
  final @Nullable String xmlId;
  final @Nullable String owner;
  final long depositedE8;
  final Map<OrderBook, PositionState> positions = new HashMap<>();
  long cashE8;
  long reservedE8;

  /// What open sell orders bring at their limits.
  long expectedE8;

  int openOrders;
  boolean changed;

  AccountState(CashAccount account) {
    number = account.number();
    xmlId = account.xmlId();
    owner = account.owner();
    depositedE8 = account.depositedE8();
    cashE8 = account.cashE8();
    reservedE8 = account.reservedE8();
  }

  /// The most cash that it can have without further orders.
  long boundE8() {
    return cashE8 + reservedE8 + expectedE8;
  }

  CashAccount snapshot() {
    return new CashAccount(number, xmlId, owner, depositedE8, cashE8, reservedE8);
  }
}
