package toystore.catalog.rpc;

import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.PERMISSION_DENIED;

import io.grpc.Status.Code;
import toystore.catalog.domain.CatalogRefusal;
import toystore.platform.rpc.ErrorReason;

/// The catalog's own error reasons: a [CatalogRefusal], which explains it, has the reason of its
/// name. `catalog.proto` and `item.proto` list the reasons of each call.
public final class CatalogErrorReasons {
  public static final ErrorReason PRODUCT_NOT_FOUND = of(CatalogRefusal.PRODUCT_NOT_FOUND);
  public static final ErrorReason ITEM_NOT_FOUND = of(CatalogRefusal.ITEM_NOT_FOUND);
  public static final ErrorReason NOT_THE_OWNER = of(CatalogRefusal.NOT_THE_OWNER);
  public static final ErrorReason NOT_ENOUGH = of(CatalogRefusal.NOT_ENOUGH);
  public static final ErrorReason STOCK_CHANGED = of(CatalogRefusal.STOCK_CHANGED);
  public static final ErrorReason TOO_MANY_ITEMS = of(CatalogRefusal.TOO_MANY_ITEMS);
  public static final ErrorReason ALREADY_RETURNED = of(CatalogRefusal.ALREADY_RETURNED);
  public static final ErrorReason OUT_OF_STOCK = of(CatalogRefusal.OUT_OF_STOCK);
  public static final ErrorReason STOCK_LIMIT = of(CatalogRefusal.STOCK_LIMIT);
  public static final ErrorReason SUSPENDED = of(CatalogRefusal.SUSPENDED);
  public static final ErrorReason NAME_TAKEN = of(CatalogRefusal.NAME_TAKEN);
  public static final ErrorReason PRICE_CHANGED = of(CatalogRefusal.PRICE_CHANGED);
  public static final ErrorReason PRODUCT_CHANGED = of(CatalogRefusal.PRODUCT_CHANGED);
  public static final ErrorReason NOT_A_STOCK = of(CatalogRefusal.NOT_A_STOCK);
  public static final ErrorReason SALE_CANCELLED = of(CatalogRefusal.SALE_CANCELLED);
  public static final ErrorReason ORDER_NOT_FOUND = of(CatalogRefusal.PURCHASE_NOT_FOUND);

  /// The catalog does not have the last sale that the order service knows: it was restored from an
  /// older backup. Nothing was sold.
  public static final ErrorReason CATALOG_BEHIND =
      ErrorReason.notDone("CATALOG_BEHIND", FAILED_PRECONDITION, 503);

  private CatalogErrorReasons() {}

  static ErrorReason of(CatalogRefusal refusal) {
    return switch (refusal) {
      case PURCHASE_NOT_FOUND -> ErrorReason.decided("ORDER_NOT_FOUND", NOT_FOUND, 404);
      case PRODUCT_NOT_FOUND, ITEM_NOT_FOUND -> of(refusal, NOT_FOUND, 404);
      case NOT_THE_OWNER -> of(refusal, PERMISSION_DENIED, 403);
      case NOT_ENOUGH, NOT_A_STOCK -> of(refusal, FAILED_PRECONDITION, 400);
      case NAME_TAKEN -> of(refusal, ALREADY_EXISTS, 409);
      case OUT_OF_STOCK,
          STOCK_LIMIT,
          SUSPENDED,
          PRICE_CHANGED,
          PRODUCT_CHANGED,
          STOCK_CHANGED,
          TOO_MANY_ITEMS,
          ALREADY_RETURNED,
          SALE_CANCELLED ->
          of(refusal, FAILED_PRECONDITION, 409);
    };
  }

  private static ErrorReason of(CatalogRefusal refusal, Code code, int httpStatus) {
    return ErrorReason.decided(refusal.name(), code, httpStatus);
  }
}
