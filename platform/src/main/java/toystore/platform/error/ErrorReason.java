package toystore.platform.error;

import static io.grpc.Status.Code.ABORTED;
import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.CANCELLED;
import static io.grpc.Status.Code.DEADLINE_EXCEEDED;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INTERNAL;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.PERMISSION_DENIED;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAUTHENTICATED;
import static io.grpc.Status.Code.UNAVAILABLE;
import static io.grpc.Status.Code.UNIMPLEMENTED;

import io.grpc.Status.Code;

/// Why a request failed or a command was refused, in all services. The names are sent to clients
/// and stored with refusals; the `.proto` files list those of each call. The comment of a reason is
/// its meaning in `docs/reference/errors.md`. A reason without an outcome is a refusal that a
/// repeat with the client's own key gets again, for a day. Errors of the request, and refusals that
/// do not depend on it alone, are not kept. The first reason of an HTTP status is its default.
public enum ErrorReason {
  /// A value is missing, malformed or out of range, or a field is unknown; the message names it.
  INVALID(INVALID_ARGUMENT, Outcome.DECIDED),
  /// An order with `type` names a product that is not traded.
  NOT_A_STOCK(FAILED_PRECONDITION, Outcome.DECIDED),
  /// There are fewer units than are to be removed, from an item or a cart.
  NOT_ENOUGH(FAILED_PRECONDITION, Outcome.DECIDED),
  /// The cart has no such item.
  NOT_IN_CART(FAILED_PRECONDITION, Outcome.DECIDED),
  /// There is nothing to buy.
  CART_EMPTY(FAILED_PRECONDITION, Outcome.DECIDED),
  /// The token of the administrator, or of a session, is missing.
  NO_TOKEN(UNAUTHENTICATED),
  /// No session has this token, or it has ended: log in again.
  SESSION_UNKNOWN(UNAUTHENTICATED, Outcome.DECIDED),
  /// The session has ended, at the exchange: log in again.
  SESSION_ENDED(UNAUTHENTICATED),
  /// There is no account with this username and password.
  WRONG_PASSWORD(UNAUTHENTICATED),
  /// The card was declined: nothing was charged, and the cart is as before.
  CARD_DECLINED(FAILED_PRECONDITION, Outcome.NOT_DONE),
  /// The token is not the administrator's.
  OTHER_TOKEN(PERMISSION_DENIED),
  /// A seller's session where a buyer's is required, or the reverse.
  OTHER_ROLE(PERMISSION_DENIED),
  /// The item belongs to another seller.
  NOT_THE_OWNER(PERMISSION_DENIED),
  /// This buyer has not bought the item.
  NOT_PURCHASED(PERMISSION_DENIED),
  /// A browser sent the change from a page of another site.
  CROSS_SITE(PERMISSION_DENIED),
  /// There is no such path.
  PATH_NOT_FOUND(NOT_FOUND),
  /// No product on sale has this name or id.
  PRODUCT_NOT_FOUND(NOT_FOUND),
  /// No traded product has this name.
  STOCK_NOT_FOUND(NOT_FOUND),
  /// There is no such order or purchase, or it belongs to another account.
  ORDER_NOT_FOUND(NOT_FOUND),
  /// There is no such item.
  ITEM_NOT_FOUND(NOT_FOUND),
  /// There is no such seller.
  SELLER_NOT_FOUND(NOT_FOUND),
  /// There is no such buyer.
  BUYER_NOT_FOUND(NOT_FOUND),
  /// There is no such account of the exchange, or it belongs to another user.
  ACCOUNT_NOT_FOUND(NOT_FOUND),
  /// Nobody has received shares with this symbol.
  SYMBOL_NOT_FOUND(NOT_FOUND),
  /// There is no such payment. Between services only.
  PAYMENT_NOT_FOUND(NOT_FOUND),
  /// `Allow` lists the methods of the path.
  METHOD_NOT_ALLOWED(UNIMPLEMENTED),
  /// The body did not arrive in time.
  BODY_TOO_SLOW(CANCELLED),
  /// There are fewer units in stock than wanted.
  OUT_OF_STOCK(FAILED_PRECONDITION),
  /// There would be more than 9·10¹⁵ units in stock.
  STOCK_LIMIT(FAILED_PRECONDITION),
  /// The traded volume of the product has reached its maximum, or a new maximum is not above it.
  SUSPENDED(FAILED_PRECONDITION),
  /// A product has this name.
  NAME_TAKEN(ALREADY_EXISTS),
  /// Another account of the role has this username.
  USERNAME_TAKEN(ALREADY_EXISTS),
  /// The seller, or the marketplace, has as many items as it may.
  TOO_MANY_ITEMS(FAILED_PRECONDITION, Outcome.DECIDED),
  /// The cart has 50 lines.
  CART_FULL(FAILED_PRECONDITION),
  /// An item of the cart is no longer sold; the cart is as before.
  ITEM_GONE(FAILED_PRECONDITION),
  /// The catalog refused the sale; the cart is as before.
  SALE_REFUSED(FAILED_PRECONDITION),
  /// The purchase was already returned. Between services only.
  ALREADY_RETURNED(FAILED_PRECONDITION),
  /// The sale of a purchase was cancelled after a restart. Between services only.
  SALE_CANCELLED(FAILED_PRECONDITION),
  /// The price is not the expected one; the message has both.
  PRICE_CHANGED(FAILED_PRECONDITION),
  /// The product is not the one that the administrator, or the seller of the item, saw.
  PRODUCT_CHANGED(FAILED_PRECONDITION),
  /// The cart is not the one that the buyer saw.
  CART_CHANGED(FAILED_PRECONDITION, Outcome.DECIDED),
  /// The units in stock are not those that the seller saw.
  STOCK_CHANGED(FAILED_PRECONDITION),
  /// The purchase of this key was undone, because its money could not be captured. A repeat gets
  /// this instead of the answer to its key.
  PURCHASE_RETURNED(FAILED_PRECONDITION),
  /// The item is bought, but the money is not captured yet: retry later.
  PAYMENT_PENDING(FAILED_PRECONDITION),
  /// The payment was declined or voided. Between services only.
  NOT_AUTHORISED(FAILED_PRECONDITION),
  /// The payment was captured and can no longer be voided. Between services only.
  ALREADY_CAPTURED(FAILED_PRECONDITION),
  /// The cash that is not reserved is less than shares times limit.
  INSUFFICIENT_CASH(FAILED_PRECONDITION),
  /// The shares that are not reserved are fewer than the order's.
  INSUFFICIENT_SHARES(FAILED_PRECONDITION),
  /// An amount of the account would become too large: cash ends at 9.2·10¹⁰, shares at 9.2·10¹⁴.
  OVERFLOW(FAILED_PRECONDITION),
  /// A maximum of the exchange, such as that of open orders, is reached; the message names it.
  LIMIT_REACHED(FAILED_PRECONDITION),
  /// The body is too large, as a rule more than 64 kB.
  BODY_TOO_LARGE(RESOURCE_EXHAUSTED),
  /// The request has a `Content-Encoding`; `identity` is refused, too.
  CONTENT_ENCODING(INVALID_ARGUMENT),
  /// The `Host` header does not name this service, see `toystore.hosts`.
  OTHER_HOST(INVALID_ARGUMENT),
  /// The key was used with a different request.
  KEY_REUSED(FAILED_PRECONDITION, Outcome.DECIDED),
  /// Feedback is neither `up` nor `down`.
  UNKNOWN_FEEDBACK(INVALID_ARGUMENT),
  /// Too many failed logins of this user or from this address, or too many logins from it in
  /// progress; `Retry-After` or `google.rpc.RetryInfo` states when to retry.
  TOO_MANY_LOGINS(RESOURCE_EXHAUSTED, Outcome.NOT_DONE),
  /// The user has as many feeds over gRPC as one user may have.
  TOO_MANY_FEEDS(RESOURCE_EXHAUSTED, Outcome.NOT_DONE),
  /// A bug, a damaged row, or an error without a reason; logged.
  INTERNAL_ERROR(INTERNAL, Outcome.UNKNOWN),
  /// The service cannot process the request now: its disk is full, it is stopping, or its peer is
  /// unavailable.
  NOT_DONE(UNAVAILABLE, Outcome.NOT_DONE),
  /// The store has no such service: its target is empty.
  NOT_CONFIGURED(FAILED_PRECONDITION, Outcome.NOT_DONE),
  /// A queue is full; `Retry-After` or `google.rpc.RetryInfo` states when to retry.
  OVERLOADED(RESOURCE_EXHAUSTED, Outcome.NOT_DONE),
  /// The catalog does not have the last sale that the order service knows: it was restored from an
  /// older backup. Nothing was sold.
  CATALOG_BEHIND(FAILED_PRECONDITION, Outcome.NOT_DONE),
  /// The change may have been carried out: repeat it with its key.
  OUTCOME_UNKNOWN(ABORTED, Outcome.UNKNOWN),
  /// The request was not processed before its deadline, or it was cancelled.
  TOO_LATE(DEADLINE_EXCEEDED, Outcome.NOT_DONE);

  /// What the caller knows about its request.
  public enum Outcome {
    /// Refused: a repeat with the same key gets the same answer.
    DECIDED,
    /// Certainly not carried out; may be repeated.
    NOT_DONE,
    /// Possibly carried out; must be repeated with the same key.
    UNKNOWN
  }

  private final Code code;
  private final Outcome outcome;
  private final boolean kept;

  ErrorReason(Code code) {
    this(code, Outcome.DECIDED, true);
  }

  ErrorReason(Code code, Outcome outcome) {
    this(code, outcome, false);
  }

  ErrorReason(Code code, Outcome outcome, boolean kept) {
    this.code = code;
    this.outcome = outcome;
    this.kept = kept;
  }

  public Code code() {
    return code;
  }

  public Outcome outcome() {
    return outcome;
  }

  /// Whether a repeat with the client's own key gets the same refusal, for a day. Otherwise it is
  /// decided again.
  public boolean isKept() {
    return kept;
  }
}
