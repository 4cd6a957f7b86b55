package toystore.payment.rpc;

import java.util.Set;
import toystore.payment.v1.PaymentServiceGrpc;

/// The methods of the payment service.
public final class PaymentMethods {
  private PaymentMethods() {}

  /// Those whose calls may arrive over one stream.
  public static Set<String> multiplexed() {
    return Set.of(
        PaymentServiceGrpc.getAuthoriseMethod().getFullMethodName(),
        PaymentServiceGrpc.getCaptureMethod().getFullMethodName());
  }
}
