package toystore.catalog;

/// Why a command is refused. The names are stored on disk.
enum RefusalReason {
  PRODUCT_NOT_FOUND,
  ITEM_NOT_FOUND,
  /// No purchase has this number.
  PURCHASE_NOT_FOUND,
  OUT_OF_STOCK,
  STOCK_LIMIT,
  SUSPENDED,
  NAME_TAKEN,
  PRICE_CHANGED,
  /// The item belongs to another seller.
  NOT_THE_OWNER,
  /// The seller wants to remove more units than there are.
  NOT_ENOUGH,
  /// The stock is not the one that the seller saw.
  STOCK_CHANGED,
  /// The seller, or the marketplace, has as many items as it may.
  TOO_MANY_ITEMS,
  /// The purchase was already returned.
  ALREADY_RETURNED,
  /// Only stocks can be traded.
  NOT_A_STOCK,
  /// The key was already used for a different request.
  KEY_REUSED,
  /// The deadline `decideBy` passed, or the caller cancelled.
  TOO_LATE,
  /// The stored record of the key is damaged.
  DAMAGED;

  /// Whether the refusal is stored for a repeat. The others do not depend on the request itself, or
  /// are errors of the request.
  boolean isKept() {
    return switch (this) {
      case NOT_A_STOCK, TOO_MANY_ITEMS, KEY_REUSED, TOO_LATE, DAMAGED -> false;
      case PRODUCT_NOT_FOUND,
          ITEM_NOT_FOUND,
          PURCHASE_NOT_FOUND,
          OUT_OF_STOCK,
          STOCK_LIMIT,
          SUSPENDED,
          NAME_TAKEN,
          PRICE_CHANGED,
          NOT_THE_OWNER,
          NOT_ENOUGH,
          STOCK_CHANGED,
          ALREADY_RETURNED ->
          true;
    };
  }
}
