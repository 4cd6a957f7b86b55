/// The payment service over gRPC: [PaymentRpc], and [SandboxRpc] for its faults.
@NullMarked
package toystore.payment.rpc;

import org.jspecify.annotations.NullMarked;
