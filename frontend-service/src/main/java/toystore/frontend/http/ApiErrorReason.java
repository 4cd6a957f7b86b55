package toystore.frontend.http;

import java.util.Arrays;
import toystore.platform.rpc.ErrorReason;

/// Why a request failed, for programs. The first reason of a status is its default. The reasons of
/// the services have the same names as their [ErrorReason]; `docs/api.md` describes all of them.
public enum ApiErrorReason {
  /// A value is missing, malformed or out of range; the message names it.
  INVALID(400),
  /// Only stocks can be traded.
  NOT_A_STOCK(400),
  /// The item has fewer units.
  NOT_ENOUGH(400),
  /// The cart has fewer units of the item.
  NOT_IN_CART(400),
  CART_EMPTY(400),
  NO_TOKEN(401),
  /// The session has ended or never existed.
  SESSION_UNKNOWN(401),
  /// The same, from the exchange.
  SESSION_ENDED(401),
  /// The username is unknown or the password is wrong.
  WRONG_PASSWORD(401),
  CARD_DECLINED(402),
  OTHER_TOKEN(403),
  /// A buyer's session where a seller's is required, or the reverse.
  OTHER_ROLE(403),
  NOT_THE_OWNER(403),
  /// Only a buyer of an item may rate it.
  NOT_PURCHASED(403),
  /// A page of another site sent the request.
  CROSS_SITE(403),
  PATH_NOT_FOUND(404),
  PRODUCT_NOT_FOUND(404),
  STOCK_NOT_FOUND(404),
  ORDER_NOT_FOUND(404),
  ITEM_NOT_FOUND(404),
  SELLER_NOT_FOUND(404),
  BUYER_NOT_FOUND(404),
  /// The exchange has no such account, or it belongs to another user.
  ACCOUNT_NOT_FOUND(404),
  /// Nobody has received shares of this symbol yet.
  SYMBOL_NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  BODY_TOO_SLOW(408),
  OUT_OF_STOCK(409),
  STOCK_LIMIT(409),
  SUSPENDED(409),
  NAME_TAKEN(409),
  USERNAME_TAKEN(409),
  /// The seller, or the marketplace, has as many items as it may.
  TOO_MANY_ITEMS(409),
  /// The cart has 50 lines.
  CART_FULL(409),
  /// An item of the cart is no longer sold.
  ITEM_GONE(409),
  /// The catalog refused the sale of a purchase for another reason.
  SALE_REFUSED(409),
  /// The purchase was already returned.
  ALREADY_RETURNED(409),
  /// The sale of a purchase was cancelled.
  SALE_CANCELLED(409),
  PRICE_CHANGED(409),
  /// The cart is not the one that the buyer saw.
  CART_CHANGED(409),
  /// The stock of an item is not the one that the seller saw.
  STOCK_CHANGED(409),
  /// The purchase was undone, because its money could not be captured.
  PURCHASE_RETURNED(409),
  /// The item is bought, but its payment is not captured yet.
  PAYMENT_PENDING(409),
  /// The account has less cash than the order reserves.
  INSUFFICIENT_CASH(409),
  /// The account has fewer shares than the order reserves.
  INSUFFICIENT_SHARES(409),
  /// An amount of the account would become too large.
  OVERFLOW(409),
  /// A maximum number, such as that of open orders, is reached; the message names it.
  LIMIT_REACHED(409),
  BODY_TOO_LARGE(413),
  /// The request has a `Content-Encoding`.
  CONTENT_ENCODING(415),
  /// The `Host` header does not name this service.
  OTHER_HOST(421),
  KEY_REUSED(422),
  /// Feedback is neither `up` nor `down`.
  UNKNOWN_FEEDBACK(422),
  TOO_MANY_LOGINS(429),
  /// The user has as many feeds as one user may have.
  TOO_MANY_FEEDS(429),
  /// A bug. It is logged.
  INTERNAL_ERROR(500),
  /// Not carried out: a service is unavailable.
  NOT_DONE(503),
  /// Not carried out: the store has no such service.
  NOT_CONFIGURED(503),
  /// Not carried out: a queue is full.
  OVERLOADED(503),
  /// Not carried out: the catalog does not have the last purchase that the order service knows.
  CATALOG_BEHIND(503),
  /// It is unknown whether the request was carried out.
  OUTCOME_UNKNOWN(504),
  /// No answer to a query before the deadline.
  TOO_LATE(504);

  private final int status;

  ApiErrorReason(int status) {
    this.status = status;
  }

  int status() {
    return status;
  }

  /// Returns the default reason of an HTTP status; [#INVALID] if it has none.
  static ApiErrorReason of(int status) {
    return Arrays.stream(values()).filter(it -> it.status == status).findFirst().orElse(INVALID);
  }

  /// Returns the reason of a service's error. A name that is not known here becomes the default
  /// reason of its status.
  static ApiErrorReason of(ErrorReason error) {
    return Arrays.stream(values())
        .filter(it -> it.name().equals(error.name()))
        .findFirst()
        .orElseGet(() -> of(error.httpStatus()));
  }
}
