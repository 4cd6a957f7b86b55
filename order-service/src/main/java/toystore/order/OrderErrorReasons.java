package toystore.order;

import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.NOT_FOUND;

import io.grpc.StatusRuntimeException;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;

/// The order service's own error reasons. `purchase.proto` lists the reasons of each call.
final class OrderErrorReasons {
  private static final ErrorReason ITEM_NOT_FOUND =
      ErrorReason.decided("ITEM_NOT_FOUND", NOT_FOUND, 404);
  private static final ErrorReason NOT_ENOUGH = decided("NOT_ENOUGH", 400);
  private static final ErrorReason NOT_IN_CART = decided("NOT_IN_CART", 400);
  private static final ErrorReason CART_FULL = decided("CART_FULL", 409);
  private static final ErrorReason CART_EMPTY = decided("CART_EMPTY", 400);
  private static final ErrorReason CARD_DECLINED =
      ErrorReason.notDone("CARD_DECLINED", FAILED_PRECONDITION, 402);
  private static final ErrorReason OUT_OF_STOCK = decided("OUT_OF_STOCK", 409);
  private static final ErrorReason PRICE_CHANGED = decided("PRICE_CHANGED", 409);
  private static final ErrorReason ITEM_GONE = decided("ITEM_GONE", 409);
  private static final ErrorReason SALE_REFUSED = decided("SALE_REFUSED", 409);
  private static final ErrorReason PURCHASE_RETURNED = decided("PURCHASE_RETURNED", 409);

  private OrderErrorReasons() {}

  static StatusRuntimeException toException(OrderRefusal refusal) {
    return new RpcError(of(refusal.reason()), refusal.message(), refusal.replayed()).toException();
  }

  private static ErrorReason of(OrderRefusal.Reason reason) {
    return switch (reason) {
      case ITEM_NOT_FOUND -> ITEM_NOT_FOUND;
      case CART_FULL -> CART_FULL;
      case NOT_ENOUGH -> NOT_ENOUGH;
      case NOT_IN_CART -> NOT_IN_CART;
      case CART_EMPTY -> CART_EMPTY;
      case AMOUNT_TOO_LARGE, CARD_INVALID -> ErrorReason.INVALID;
      case CARD_DECLINED -> CARD_DECLINED;
      case OUT_OF_STOCK -> OUT_OF_STOCK;
      case PRICE_CHANGED -> PRICE_CHANGED;
      case ITEM_GONE -> ITEM_GONE;
      case SALE_REFUSED -> SALE_REFUSED;
      case PURCHASE_RETURNED -> PURCHASE_RETURNED;
      case KEY_REUSED -> ErrorReason.KEY_REUSED;
      case TOO_LATE -> ErrorReason.TOO_LATE;
      case OVERLOADED -> ErrorReason.OVERLOADED;
      case NOT_DONE -> ErrorReason.NOT_DONE;
      case OUTCOME_UNKNOWN -> ErrorReason.OUTCOME_UNKNOWN;
      case DAMAGED -> ErrorReason.INTERNAL_ERROR;
    };
  }

  private static ErrorReason decided(String name, int httpStatus) {
    return ErrorReason.decided(name, FAILED_PRECONDITION, httpStatus);
  }
}
