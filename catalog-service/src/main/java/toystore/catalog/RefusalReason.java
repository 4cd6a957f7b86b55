package toystore.catalog;

/// Why a command is refused. The names are stored on disk.
enum RefusalReason {
  PRODUCT_NOT_FOUND,
  OUT_OF_STOCK,
  STOCK_LIMIT,
  SUSPENDED,
  NAME_TAKEN,
  PRICE_CHANGED,
  /// The key was already used for a different request.
  KEY_REUSED,
  /// The deadline `decideBy` passed, or the caller cancelled.
  TOO_LATE,
  /// The stored record of the key is damaged.
  DAMAGED;

  /// Whether the refusal is stored for a repeat. The last three do not depend on the request
  /// itself.
  boolean isKept() {
    return this != KEY_REUSED && this != TOO_LATE && this != DAMAGED;
  }
}
