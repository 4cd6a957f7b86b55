package toystore.catalog.domain;

import toystore.platform.idempotency.RefusalReason;

/// Why a command is refused.
public enum CatalogRefusal implements RefusalReason {
  /// No product on sale has this name or id.
  PRODUCT_NOT_FOUND,
  ITEM_NOT_FOUND,
  /// No purchase has this number.
  PURCHASE_NOT_FOUND,
  OUT_OF_STOCK,
  /// The stock would exceed its limit.
  STOCK_LIMIT,
  /// The traded volume of the product reached `max_volume`.
  SUSPENDED,
  NAME_TAKEN,
  /// The price of a line differs from the expected price.
  PRICE_CHANGED,
  /// The product is not the one that the administrator, or the seller of the item, saw.
  PRODUCT_CHANGED,
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
  SALE_CANCELLED,
  /// Only stocks can be traded.
  NOT_A_STOCK;

  /// Errors of the request, and refusals that do not depend on it alone, are not kept.
  @Override
  public boolean isKept() {
    return this != NOT_A_STOCK && this != TOO_MANY_ITEMS;
  }
}
