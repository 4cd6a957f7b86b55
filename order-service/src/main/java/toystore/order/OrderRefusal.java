package toystore.order;

import toystore.platform.idempotency.RefusalReason;

/// Why a cart is not changed or a purchase is not made.
enum OrderRefusal implements RefusalReason {
  ITEM_NOT_FOUND(true),
  CART_FULL(true),
  NOT_ENOUGH(false),
  NOT_IN_CART(false),
  CART_EMPTY(false),
  /// The cart is not the one that the buyer saw.
  CART_CHANGED(false),
  AMOUNT_TOO_LARGE(false),
  /// The payment service does not accept the card's fields.
  CARD_INVALID(false),
  CARD_DECLINED(false),
  /// These four are the catalog's refusals of a purchase.
  OUT_OF_STOCK(true),
  PRICE_CHANGED(true),
  ITEM_GONE(true),
  SALE_REFUSED(true),
  /// The money of a sold purchase could not be captured. It replaces the answer to its key.
  PURCHASE_RETURNED(true),
  OVERLOADED(false),
  /// The authorisation was certainly not sent.
  NOT_DONE(false),
  /// The answer of the authorisation is not known; it is voided.
  OUTCOME_UNKNOWN(false);

  private final boolean kept;

  OrderRefusal(boolean kept) {
    this.kept = kept;
  }

  /// PURCHASE_RETURNED is kept forever.
  @Override
  public boolean isKept() {
    return kept;
  }
}
