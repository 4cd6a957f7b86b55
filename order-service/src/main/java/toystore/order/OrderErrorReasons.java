package toystore.order;

import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.NOT_FOUND;

import toystore.platform.rpc.ErrorReason;

/// The order service's own error reasons. `purchase.proto` lists the reasons of each call.
final class OrderErrorReasons {
  /// The catalog does not have the last purchase that is known here.
  static final ErrorReason CATALOG_BEHIND =
      ErrorReason.notDone("CATALOG_BEHIND", FAILED_PRECONDITION, 503);

  private OrderErrorReasons() {}

  static ErrorReason of(OrderRefusal refusal) {
    return switch (refusal) {
      case ITEM_NOT_FOUND -> ErrorReason.decided(refusal.name(), NOT_FOUND, 404);
      case NOT_ENOUGH, NOT_IN_CART, CART_EMPTY ->
          ErrorReason.decided(refusal.name(), FAILED_PRECONDITION, 400);
      case CART_FULL,
          CART_CHANGED,
          OUT_OF_STOCK,
          PRICE_CHANGED,
          ITEM_GONE,
          SALE_REFUSED,
          PURCHASE_RETURNED ->
          ErrorReason.decided(refusal.name(), FAILED_PRECONDITION, 409);
      case CARD_DECLINED -> ErrorReason.notDone(refusal.name(), FAILED_PRECONDITION, 402);
      case AMOUNT_TOO_LARGE, CARD_INVALID -> ErrorReason.INVALID;
      case OVERLOADED -> ErrorReason.OVERLOADED;
      case NOT_DONE -> ErrorReason.NOT_DONE;
      case OUTCOME_UNKNOWN -> ErrorReason.OUTCOME_UNKNOWN;
    };
  }
}
