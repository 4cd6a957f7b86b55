/// The order service's tables. [OrderBatches] writes the carts and purchases of a batch;
/// [CartSweep] deletes the carts of ended sessions.
@NullMarked
package toystore.order.storage;

import org.jspecify.annotations.NullMarked;
