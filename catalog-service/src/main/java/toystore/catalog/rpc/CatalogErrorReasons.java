package toystore.catalog.rpc;

import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.PERMISSION_DENIED;

import toystore.catalog.domain.CatalogRefusal;
import toystore.platform.rpc.ErrorReason;

/// The catalog's own error reasons. `catalog.proto` and `item.proto` list the reasons of each call.
public final class CatalogErrorReasons {
  /// No product on sale has this name or id.
  public static final ErrorReason PRODUCT_NOT_FOUND =
      ErrorReason.decided("PRODUCT_NOT_FOUND", NOT_FOUND, 404);

  /// No item has this id.
  public static final ErrorReason ITEM_NOT_FOUND =
      ErrorReason.decided("ITEM_NOT_FOUND", NOT_FOUND, 404);

  /// The item belongs to another seller.
  public static final ErrorReason NOT_THE_OWNER =
      ErrorReason.decided("NOT_THE_OWNER", PERMISSION_DENIED, 403);

  /// The seller wants to remove more units of an item than there are.
  public static final ErrorReason NOT_ENOUGH =
      ErrorReason.decided("NOT_ENOUGH", FAILED_PRECONDITION, 400);

  /// The stock of an item is not the one that the seller saw. Nothing was removed.
  public static final ErrorReason STOCK_CHANGED =
      ErrorReason.decided("STOCK_CHANGED", FAILED_PRECONDITION, 409);

  /// The seller, or the marketplace, has as many items as it may. Nothing was added.
  public static final ErrorReason TOO_MANY_ITEMS =
      ErrorReason.decided("TOO_MANY_ITEMS", FAILED_PRECONDITION, 409);

  /// The purchase was already returned by a request with another key.
  public static final ErrorReason ALREADY_RETURNED =
      ErrorReason.decided("ALREADY_RETURNED", FAILED_PRECONDITION, 409);

  /// No sale has this number.
  public static final ErrorReason ORDER_NOT_FOUND =
      ErrorReason.decided("ORDER_NOT_FOUND", NOT_FOUND, 404);

  /// The requested quantity is more than the stock. Nothing was sold.
  public static final ErrorReason OUT_OF_STOCK =
      ErrorReason.decided("OUT_OF_STOCK", FAILED_PRECONDITION, 409);

  /// The stock would exceed its limit.
  public static final ErrorReason STOCK_LIMIT =
      ErrorReason.decided("STOCK_LIMIT", FAILED_PRECONDITION, 409);

  /// The product is suspended: its traded volume reached `max_volume`.
  public static final ErrorReason SUSPENDED =
      ErrorReason.decided("SUSPENDED", FAILED_PRECONDITION, 409);

  /// Another product on sale has this name.
  public static final ErrorReason NAME_TAKEN =
      ErrorReason.decided("NAME_TAKEN", ALREADY_EXISTS, 409);

  /// The price of a line differs from the expected price. Nothing was sold.
  public static final ErrorReason PRICE_CHANGED =
      ErrorReason.decided("PRICE_CHANGED", FAILED_PRECONDITION, 409);

  /// The product is not a stock, and only stocks can be traded.
  public static final ErrorReason NOT_A_STOCK =
      ErrorReason.decided("NOT_A_STOCK", FAILED_PRECONDITION, 400);

  /// The catalog does not have the last sale that the order service knows: it was restored from an
  /// older backup. Nothing was sold.
  public static final ErrorReason CATALOG_BEHIND =
      ErrorReason.notDone("CATALOG_BEHIND", FAILED_PRECONDITION, 503);

  private CatalogErrorReasons() {}

  static ErrorReason of(CatalogRefusal refusal) {
    return switch (refusal) {
      case PRODUCT_NOT_FOUND -> PRODUCT_NOT_FOUND;
      case ITEM_NOT_FOUND -> ITEM_NOT_FOUND;
      case PURCHASE_NOT_FOUND -> ORDER_NOT_FOUND;
      case NOT_THE_OWNER -> NOT_THE_OWNER;
      case NOT_ENOUGH -> NOT_ENOUGH;
      case STOCK_CHANGED -> STOCK_CHANGED;
      case TOO_MANY_ITEMS -> TOO_MANY_ITEMS;
      case ALREADY_RETURNED -> ALREADY_RETURNED;
      case OUT_OF_STOCK -> OUT_OF_STOCK;
      case STOCK_LIMIT -> STOCK_LIMIT;
      case SUSPENDED -> SUSPENDED;
      case NAME_TAKEN -> NAME_TAKEN;
      case PRICE_CHANGED -> PRICE_CHANGED;
      case NOT_A_STOCK -> NOT_A_STOCK;
    };
  }
}
