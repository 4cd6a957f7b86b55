package toystore.order;

import java.util.Locale;

/// A cart was not changed or a purchase was not made.
///
/// @param replayed whether this is the stored answer of a known key
record OrderRefused(Reason reason, String message, boolean replayed) implements OrderResult {
  /// @implNote The names of the kept ones are stored on disk.
  enum Reason {
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
    KEY_REUSED(false),
    TOO_LATE(false),
    OVERLOADED(false),
    /// The authorisation was certainly not sent.
    NOT_DONE(false),
    /// The answer of the authorisation is not known; it is voided.
    OUTCOME_UNKNOWN(false),
    /// A row that the answer depends on is damaged.
    DAMAGED(false);

    private final boolean kept;

    Reason(boolean kept) {
      this.kept = kept;
    }

    /// Whether a repeat with the same key gets the same answer, for a day; PURCHASE_RETURNED:
    /// always.
    boolean isKept() {
      return kept;
    }
  }

  OrderRefused(Reason reason, String message) {
    this(reason, message, false);
  }

  /// @param format of the message, see [String#format]
  static OrderRefused because(Reason reason, String format, Object... values) {
    return new OrderRefused(reason, String.format(Locale.ROOT, format, values));
  }
}
