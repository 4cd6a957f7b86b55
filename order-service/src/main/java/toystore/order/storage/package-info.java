/// The order service's tables. [OrderBatchStore] commits carts and purchases in one transaction;
/// [CartSweep] deletes the carts of ended sessions.
@NullMarked
package toystore.order.storage;

import org.jspecify.annotations.NullMarked;
