package toystore.exchange.domain;

import toystore.platform.idempotency.RefusalReason;

/// Why a command or a query is refused.
public enum ExchangeRefusal implements RefusalReason {
  /// A value is out of range.
  INVALID,
  ACCOUNT_EXISTS,
  /// There is no such account, or the caller may not reach it.
  ACCOUNT_NOT_FOUND,
  SYMBOL_NOT_FOUND,
  /// There is no such order, or it belongs to another account.
  ORDER_NOT_FOUND,
  INSUFFICIENT_CASH,
  INSUFFICIENT_SHARES,
  OVERFLOW,
  /// A maximum number, such as that of open orders, is reached.
  LIMIT_REACHED;

  @Override
  public boolean isKept() {
    return this != INVALID;
  }
}
