package toystore.frontend.page.market;

import java.util.Locale;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.page.ErrorTexts;

/// The message at the top of a page, and the HTTP status of the page.
///
/// @param text empty: no message
/// @param isProblem whether the page is the answer to a refused or failed form
record PageMessage(int status, String text, boolean isProblem) {
  static final PageMessage NONE = new PageMessage(200, "", false);

  static PageMessage of(Notice notice) {
    return new PageMessage(200, notice.text(), false);
  }

  /// The error of a form with an idempotency key.
  static PageMessage of(ApiException error) {
    return problem(
        error,
        "The shop did not answer in time, so it is not known whether this was done. Please send the"
            + " form again: it will not be done twice.");
  }

  /// The error of a form without an idempotency key.
  static PageMessage ofUnkeyed(ApiException error) {
    return problem(
        error,
        "The shop did not answer in time. Please check below whether this was done before you try"
            + " again.");
  }

  private static PageMessage problem(ApiException error, String unknownOutcome) {
    return new PageMessage(
        error.status(), error.status() == 504 ? unknownOutcome : text(error.reason(), error), true);
  }

  private static String text(ApiErrorReason reason, ApiException error) {
    return switch (reason) {
      case WRONG_PASSWORD -> "The username or the password is wrong.";
      case TOO_MANY_LOGINS ->
          String.format(
              Locale.ROOT,
              "There were too many failed logins. Please try again in %s seconds.",
              error.retryAfter());
      case USERNAME_TAKEN -> "This username is taken. Please choose another one.";
      case CARD_DECLINED ->
          "Your card was declined. Nothing was charged, and your cart is as before.";
      case PRICE_CHANGED ->
          "A price has changed since you put the item into your cart. Nothing was charged.";
      case CART_CHANGED -> "Your cart has changed since you opened the page. Nothing was charged.";
      case STOCK_CHANGED ->
          "The number of units has changed since you opened the page. Nothing was removed.";
      case PURCHASE_RETURNED ->
          "The payment could not be completed, so this purchase was undone. Nothing was charged.";
      case PAYMENT_PENDING ->
          "The payment for this item is not complete yet. Please try again in a moment.";
      case OUT_OF_STOCK ->
          String.format(
              Locale.ROOT,
              "There is not enough left (%s). Nothing was charged, and your cart is as before.",
              error.getMessage());
      case CART_EMPTY ->
          "Your cart is empty. If you have just bought it, the purchase is under “Purchases”.";
      case TOO_MANY_ITEMS ->
          String.format(Locale.ROOT, "The item was not added: %s.", error.getMessage());
      case CART_FULL -> "Your cart is full: it holds at most 50 different items.";
      case ITEM_NOT_FOUND -> "There is no such item, or it is no longer sold.";
      case NOT_IN_CART -> "Your cart has fewer units of this item.";
      case NOT_THE_OWNER -> "This item belongs to another seller.";
      case NOT_PURCHASED -> "Only a buyer of the item can rate it.";
      case ACCOUNT_NOT_FOUND -> "You have no such account.";
      case ORDER_NOT_FOUND -> "This account has no such order.";
      case SYMBOL_NOT_FOUND -> "Nobody has received shares of this symbol yet.";
      case INSUFFICIENT_CASH ->
          String.format(
              Locale.ROOT,
              "Nothing was ordered: the account has too little cash (%s).",
              error.getMessage());
      case INSUFFICIENT_SHARES ->
          String.format(
              Locale.ROOT,
              "Nothing was ordered: the account has too few shares (%s).",
              error.getMessage());
      case SESSION_UNKNOWN, SESSION_ENDED -> "Your session has ended. Please log in again.";
      case KEY_REUSED -> "This form was already used for something else. Please reload the page.";
      case OVERLOADED, NOT_DONE ->
          "The shop is temporarily unavailable, and nothing was done. Please try again.";
      default -> ErrorTexts.of(error);
    };
  }
}
