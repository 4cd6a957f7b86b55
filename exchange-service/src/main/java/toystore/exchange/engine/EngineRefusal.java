package toystore.exchange.engine;

import java.util.Locale;
import java.util.function.ToIntFunction;
import toystore.platform.error.ErrorReason;

/// Why a command was refused.
public enum EngineRefusal {
  INVALID_XML_ID(ErrorReason.INVALID, "account id must be 1 to 32 digits"),
  INVALID_BALANCE(ErrorReason.INVALID, "balance must not be negative"),
  INVALID_SYMBOL(ErrorReason.INVALID, "symbol must be 1 to 32 letters and digits"),
  INVALID_SHARES(
      ErrorReason.INVALID,
      "number of shares must be more than 0, or at least 0 where shares are added"),
  INVALID_LIMIT(ErrorReason.INVALID, "limit must be more than 0"),
  ACCOUNT_EXISTS(ErrorReason.INVALID, "account already exists"),
  ACCOUNT_NOT_FOUND(ErrorReason.ACCOUNT_NOT_FOUND, "account not found"),
  SYMBOL_NOT_FOUND(ErrorReason.SYMBOL_NOT_FOUND, "symbol not found"),
  INSUFFICIENT_CASH(
      ErrorReason.INSUFFICIENT_CASH, "cash that is not reserved is less than shares times limit"),
  INSUFFICIENT_SHARES(
      ErrorReason.INSUFFICIENT_SHARES, "shares that are not reserved are fewer than the order's"),
  OVERFLOW(
      ErrorReason.OVERFLOW,
      "the account's cash or shares, or the open shares at this price, would be too large"),
  ORDER_NOT_OPEN(ErrorReason.ORDER_NOT_FOUND, "order is not open"),
  TOO_MANY_ORDERS_OF_ACCOUNT(
      ErrorReason.LIMIT_REACHED,
      "the account has %d open orders, which is the maximum; cancel one first",
      EngineBounds::openOrdersOfAccount),
  TOO_MANY_ORDERS(
      ErrorReason.LIMIT_REACHED,
      "the exchange has %d open orders, which is the maximum; retry after some were executed or canceled",
      EngineBounds::openOrders),
  TOO_MANY_ACCOUNTS_OF_OWNER(
      ErrorReason.LIMIT_REACHED,
      "the user has %d accounts, which is the maximum",
      EngineBounds::accountsOfOwner),
  TOO_MANY_ACCOUNTS(
      ErrorReason.LIMIT_REACHED,
      "the exchange has %d accounts, which is the maximum",
      EngineBounds::accounts),
  TOO_MANY_SYMBOLS(
      ErrorReason.LIMIT_REACHED,
      "the exchange has %d symbols, which is the maximum",
      EngineBounds::symbols),
  TOO_MANY_POSITIONS(
      ErrorReason.LIMIT_REACHED,
      "the exchange has %d positions, which is the maximum",
      EngineBounds::positions);

  private final ErrorReason reason;
  private final String message;
  private final ToIntFunction<EngineBounds> bound;

  EngineRefusal(ErrorReason reason, String message) {
    this(reason, message, _ -> 0);
  }

  EngineRefusal(ErrorReason reason, String message, ToIntFunction<EngineBounds> bound) {
    this.reason = reason;
    this.message = message;
    this.bound = bound;
  }

  public ErrorReason reason() {
    return reason;
  }

  /// A plain sentence for clients.
  public String message(EngineBounds bounds) {
    return String.format(Locale.ROOT, message, bound.applyAsInt(bounds));
  }
}
