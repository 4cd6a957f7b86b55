package toystore.exchange.engine;

/// Why a command was refused.
public enum EngineRefusal {
  INVALID_XML_ID("account id must be 1 to 32 digits"),
  INVALID_BALANCE("balance must not be negative"),
  INVALID_SYMBOL("symbol must be 1 to 32 letters and digits"),
  INVALID_SHARES("number of shares must be more than 0, or at least 0 where shares are added"),
  INVALID_LIMIT("limit must be more than 0"),
  ACCOUNT_EXISTS("account already exists"),
  ACCOUNT_NOT_FOUND("account not found"),
  SYMBOL_NOT_FOUND("symbol not found"),
  INSUFFICIENT_CASH("cash that is not reserved is less than shares times limit"),
  INSUFFICIENT_SHARES("shares that are not reserved are fewer than the order's"),
  OVERFLOW("the account's cash or shares, or the open shares at this price, would be too large"),
  ORDER_NOT_OPEN("order is not open");

  private final String message;

  EngineRefusal(String message) {
    this.message = message;
  }

  /// A plain sentence for clients.
  public String message() {
    return message;
  }
}
