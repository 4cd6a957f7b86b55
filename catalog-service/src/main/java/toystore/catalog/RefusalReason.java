package toystore.catalog;

import toystore.platform.rpc.ErrorReason;

/// Why a command is refused. The names are stored on disk.
enum RefusalReason {
  PRODUCT_NOT_FOUND(CatalogErrorReasons.PRODUCT_NOT_FOUND, true),
  ITEM_NOT_FOUND(CatalogErrorReasons.ITEM_NOT_FOUND, true),
  /// No purchase has this number.
  PURCHASE_NOT_FOUND(CatalogErrorReasons.ORDER_NOT_FOUND, true),
  OUT_OF_STOCK(CatalogErrorReasons.OUT_OF_STOCK, true),
  STOCK_LIMIT(CatalogErrorReasons.STOCK_LIMIT, true),
  SUSPENDED(CatalogErrorReasons.SUSPENDED, true),
  NAME_TAKEN(CatalogErrorReasons.NAME_TAKEN, true),
  PRICE_CHANGED(CatalogErrorReasons.PRICE_CHANGED, true),
  /// The item belongs to another seller.
  NOT_THE_OWNER(CatalogErrorReasons.NOT_THE_OWNER, true),
  /// The seller wants to remove more units than there are.
  NOT_ENOUGH(CatalogErrorReasons.NOT_ENOUGH, true),
  /// The stock is not the one that the seller saw.
  STOCK_CHANGED(CatalogErrorReasons.STOCK_CHANGED, true),
  /// The seller, or the marketplace, has as many items as it may.
  TOO_MANY_ITEMS(CatalogErrorReasons.TOO_MANY_ITEMS, false),
  /// The purchase was already returned.
  ALREADY_RETURNED(CatalogErrorReasons.ALREADY_RETURNED, true),
  /// Only stocks can be traded.
  NOT_A_STOCK(CatalogErrorReasons.NOT_A_STOCK, false),
  /// The key was already used for a different request.
  KEY_REUSED(ErrorReason.KEY_REUSED, false),
  /// The deadline `decideBy` passed, or the caller cancelled.
  TOO_LATE(ErrorReason.TOO_LATE, false),
  /// The stored record of the key is damaged.
  DAMAGED(ErrorReason.INTERNAL_ERROR, false);

  private final ErrorReason error;
  private final boolean kept;

  RefusalReason(ErrorReason error, boolean kept) {
    this.error = error;
    this.kept = kept;
  }

  /// What the caller is answered.
  ErrorReason error() {
    return error;
  }

  /// Whether the refusal is stored for a repeat. The others do not depend on the request itself, or
  /// are errors of the request.
  boolean isKept() {
    return kept;
  }
}
