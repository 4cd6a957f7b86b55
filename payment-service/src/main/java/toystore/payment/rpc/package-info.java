/// The payment service over gRPC.
@NullMarked
package toystore.payment.rpc;

import org.jspecify.annotations.NullMarked;
