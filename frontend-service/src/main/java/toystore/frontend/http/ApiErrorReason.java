package toystore.frontend.http;

import java.util.Arrays;
import toystore.platform.rpc.ErrorReason;

/// Why a request failed, for programs. The first reason of a status is its default. The reasons of
/// the services have the same names as their [ErrorReason]; `docs/api.md` describes all of them.
public enum ApiErrorReason {
  INVALID(400),
  NOT_A_STOCK(400),
  NOT_ENOUGH(400),
  NOT_IN_CART(400),
  CART_EMPTY(400),
  NO_TOKEN(401),
  SESSION_UNKNOWN(401),
  SESSION_ENDED(401),
  WRONG_PASSWORD(401),
  CARD_DECLINED(402),
  OTHER_TOKEN(403),
  OTHER_ROLE(403),
  NOT_THE_OWNER(403),
  NOT_PURCHASED(403),
  CROSS_SITE(403),
  PATH_NOT_FOUND(404),
  PRODUCT_NOT_FOUND(404),
  STOCK_NOT_FOUND(404),
  ORDER_NOT_FOUND(404),
  ITEM_NOT_FOUND(404),
  SELLER_NOT_FOUND(404),
  BUYER_NOT_FOUND(404),
  ACCOUNT_NOT_FOUND(404),
  SYMBOL_NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  BODY_TOO_SLOW(408),
  OUT_OF_STOCK(409),
  STOCK_LIMIT(409),
  SUSPENDED(409),
  NAME_TAKEN(409),
  USERNAME_TAKEN(409),
  TOO_MANY_ITEMS(409),
  CART_FULL(409),
  ITEM_GONE(409),
  SALE_REFUSED(409),
  ALREADY_RETURNED(409),
  /// The sale of a purchase was cancelled.
  SALE_CANCELLED(409),
  PRICE_CHANGED(409),
  PRODUCT_CHANGED(409),
  CART_CHANGED(409),
  STOCK_CHANGED(409),
  PURCHASE_RETURNED(409),
  PAYMENT_PENDING(409),
  INSUFFICIENT_CASH(409),
  INSUFFICIENT_SHARES(409),
  OVERFLOW(409),
  LIMIT_REACHED(409),
  BODY_TOO_LARGE(413),
  CONTENT_ENCODING(415),
  OTHER_HOST(421),
  KEY_REUSED(422),
  UNKNOWN_FEEDBACK(422),
  TOO_MANY_LOGINS(429),
  TOO_MANY_FEEDS(429),
  INTERNAL_ERROR(500),
  NOT_DONE(503),
  NOT_CONFIGURED(503),
  OVERLOADED(503),
  CATALOG_BEHIND(503),
  OUTCOME_UNKNOWN(504),
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
