/// The order service over gRPC: [OrderRpc], [CartRpc] and [PurchaseRpc].
@NullMarked
package toystore.order.rpc;

import org.jspecify.annotations.NullMarked;
