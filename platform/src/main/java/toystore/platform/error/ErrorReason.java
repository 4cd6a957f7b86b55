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
/// and stored with refusals; `docs/api.md` describes them, the `.proto` files list those of each
/// call. A reason without an outcome is a refusal that a repeat with the client's own key gets
/// again, for a day. Errors of the request, and refusals that do not depend on it alone, are not
/// kept. The first reason of an HTTP status is its default.
public enum ErrorReason {
  INVALID(INVALID_ARGUMENT, Outcome.DECIDED),
  NOT_A_STOCK(FAILED_PRECONDITION, Outcome.DECIDED),
  NOT_ENOUGH(FAILED_PRECONDITION, Outcome.DECIDED),
  NOT_IN_CART(FAILED_PRECONDITION, Outcome.DECIDED),
  CART_EMPTY(FAILED_PRECONDITION, Outcome.DECIDED),
  NO_TOKEN(UNAUTHENTICATED),
  SESSION_UNKNOWN(UNAUTHENTICATED, Outcome.DECIDED),
  SESSION_ENDED(UNAUTHENTICATED),
  WRONG_PASSWORD(UNAUTHENTICATED),
  CARD_DECLINED(FAILED_PRECONDITION, Outcome.NOT_DONE),
  OTHER_TOKEN(PERMISSION_DENIED),
  OTHER_ROLE(PERMISSION_DENIED),
  NOT_THE_OWNER(PERMISSION_DENIED),
  NOT_PURCHASED(PERMISSION_DENIED),
  CROSS_SITE(PERMISSION_DENIED),
  PATH_NOT_FOUND(NOT_FOUND),
  PRODUCT_NOT_FOUND(NOT_FOUND),
  STOCK_NOT_FOUND(NOT_FOUND),
  ORDER_NOT_FOUND(NOT_FOUND),
  ITEM_NOT_FOUND(NOT_FOUND),
  SELLER_NOT_FOUND(NOT_FOUND),
  BUYER_NOT_FOUND(NOT_FOUND),
  ACCOUNT_NOT_FOUND(NOT_FOUND),
  SYMBOL_NOT_FOUND(NOT_FOUND),
  PAYMENT_NOT_FOUND(NOT_FOUND),
  METHOD_NOT_ALLOWED(UNIMPLEMENTED),
  BODY_TOO_SLOW(CANCELLED),
  OUT_OF_STOCK(FAILED_PRECONDITION),
  STOCK_LIMIT(FAILED_PRECONDITION),
  SUSPENDED(FAILED_PRECONDITION),
  NAME_TAKEN(ALREADY_EXISTS),
  USERNAME_TAKEN(ALREADY_EXISTS),
  TOO_MANY_ITEMS(FAILED_PRECONDITION, Outcome.DECIDED),
  CART_FULL(FAILED_PRECONDITION),
  ITEM_GONE(FAILED_PRECONDITION),
  SALE_REFUSED(FAILED_PRECONDITION),
  ALREADY_RETURNED(FAILED_PRECONDITION),
  SALE_CANCELLED(FAILED_PRECONDITION),
  PRICE_CHANGED(FAILED_PRECONDITION),
  /// The product is not the one that the administrator, or the seller of the item, saw.
  PRODUCT_CHANGED(FAILED_PRECONDITION),
  CART_CHANGED(FAILED_PRECONDITION, Outcome.DECIDED),
  STOCK_CHANGED(FAILED_PRECONDITION),
  /// The money of a sold purchase could not be captured. A repeat gets this instead of the answer
  /// to its key.
  PURCHASE_RETURNED(FAILED_PRECONDITION),
  PAYMENT_PENDING(FAILED_PRECONDITION),
  NOT_AUTHORISED(FAILED_PRECONDITION),
  ALREADY_CAPTURED(FAILED_PRECONDITION),
  INSUFFICIENT_CASH(FAILED_PRECONDITION),
  INSUFFICIENT_SHARES(FAILED_PRECONDITION),
  OVERFLOW(FAILED_PRECONDITION),
  LIMIT_REACHED(FAILED_PRECONDITION),
  BODY_TOO_LARGE(RESOURCE_EXHAUSTED),
  CONTENT_ENCODING(INVALID_ARGUMENT),
  OTHER_HOST(INVALID_ARGUMENT),
  KEY_REUSED(FAILED_PRECONDITION, Outcome.DECIDED),
  UNKNOWN_FEEDBACK(INVALID_ARGUMENT),
  /// Too many logins failed; a `google.rpc.RetryInfo` states when to retry.
  TOO_MANY_LOGINS(RESOURCE_EXHAUSTED, Outcome.NOT_DONE),
  TOO_MANY_FEEDS(RESOURCE_EXHAUSTED, Outcome.NOT_DONE),
  /// A bug, or an error without a reason.
  INTERNAL_ERROR(INTERNAL, Outcome.UNKNOWN),
  /// The service cannot process the request now: its disk is full, it is stopping, or its peer is
  /// unavailable.
  NOT_DONE(UNAVAILABLE, Outcome.NOT_DONE),
  /// The store has no such service: its target is empty.
  NOT_CONFIGURED(FAILED_PRECONDITION, Outcome.NOT_DONE),
  /// A queue is full; a `google.rpc.RetryInfo` states when to retry.
  OVERLOADED(RESOURCE_EXHAUSTED, Outcome.NOT_DONE),
  /// The catalog does not have the last sale that the order service knows: it was restored from an
  /// older backup. Nothing was sold.
  CATALOG_BEHIND(FAILED_PRECONDITION, Outcome.NOT_DONE),
  OUTCOME_UNKNOWN(ABORTED, Outcome.UNKNOWN),
  /// The command was not processed before its `decide_by`, or it was cancelled.
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
