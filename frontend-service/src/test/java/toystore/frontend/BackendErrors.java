package toystore.frontend;

import io.grpc.Status.Code;
import java.util.List;
import toystore.platform.rpc.ErrorReason;

/// Error reasons of the backend services. The frontend itself does not know these names.
public final class BackendErrors {
  public static final ErrorReason PRODUCT_NOT_FOUND =
      ErrorReason.decided("PRODUCT_NOT_FOUND", Code.NOT_FOUND, 404);

  static final ErrorReason ORDER_NOT_FOUND =
      ErrorReason.decided("ORDER_NOT_FOUND", Code.NOT_FOUND, 404);

  static final ErrorReason OUT_OF_STOCK =
      ErrorReason.decided("OUT_OF_STOCK", Code.FAILED_PRECONDITION, 409);

  public static final ErrorReason STOCK_LIMIT =
      ErrorReason.decided("STOCK_LIMIT", Code.FAILED_PRECONDITION, 409);

  static final ErrorReason PRICE_CHANGED =
      ErrorReason.decided("PRICE_CHANGED", Code.FAILED_PRECONDITION, 409);

  static final ErrorReason PRODUCT_CHANGED =
      ErrorReason.decided("PRODUCT_CHANGED", Code.FAILED_PRECONDITION, 409);

  public static final ErrorReason SUSPENDED =
      ErrorReason.decided("SUSPENDED", Code.FAILED_PRECONDITION, 409);

  static final ErrorReason NAME_TAKEN = ErrorReason.decided("NAME_TAKEN", Code.ALREADY_EXISTS, 409);

  static final ErrorReason CATALOG_BEHIND =
      ErrorReason.notDone("CATALOG_BEHIND", Code.FAILED_PRECONDITION, 503);

  private static final List<ErrorReason> ALL =
      List.of(
          PRODUCT_NOT_FOUND,
          ORDER_NOT_FOUND,
          OUT_OF_STOCK,
          STOCK_LIMIT,
          PRICE_CHANGED,
          PRODUCT_CHANGED,
          SUSPENDED,
          NAME_TAKEN,
          CATALOG_BEHIND,
          ErrorReason.INVALID,
          ErrorReason.KEY_REUSED,
          ErrorReason.OVERLOADED,
          ErrorReason.NOT_DONE,
          ErrorReason.TOO_LATE,
          ErrorReason.OUTCOME_UNKNOWN,
          ErrorReason.INTERNAL_ERROR);

  private BackendErrors() {}

  public static ErrorReason named(String name) {
    return ALL.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }
}
