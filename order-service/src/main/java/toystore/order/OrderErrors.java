package toystore.order;

import io.grpc.Status.Code;
import toystore.platform.rpc.ErrorReason;

/// Why the order service refuses a call, beside what any service may say and what the catalog says,
/// which passes as it is. `order.proto` names the reasons of each call.
final class OrderErrors {
  /// Order book and catalog do not belong together: one was restored from a backup. No orders are
  /// taken until an operator has looked. The catalog says the same.
  static final ErrorReason BOOK_MISMATCH =
      ErrorReason.notDone("BOOK_MISMATCH", Code.FAILED_PRECONDITION, 503);

  private OrderErrors() {}
}
