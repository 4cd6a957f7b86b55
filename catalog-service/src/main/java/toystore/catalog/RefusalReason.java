package toystore.catalog;

/// Why the till refuses. The names are on disk.
enum RefusalReason {
  PRODUCT_NOT_FOUND,
  OUT_OF_STOCK,
  STOCK_LIMIT,
  SUSPENDED,
  NAME_TAKEN,
  PRICE_CHANGED,
  /// The key was used for a request that asked for something else.
  KEY_REUSED,
  /// Past its `decideBy`, or cancelled.
  TOO_LATE,
  /// What the key was answered before cannot be read.
  DAMAGED;

  /// Whether a repeat is told the same again. The last three say nothing of the request itself.
  boolean isKept() {
    return this != KEY_REUSED && this != TOO_LATE && this != DAMAGED;
  }
}
