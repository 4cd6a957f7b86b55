/// The order service over gRPC.
@NullMarked
package toystore.order.rpc;

import org.jspecify.annotations.NullMarked;
