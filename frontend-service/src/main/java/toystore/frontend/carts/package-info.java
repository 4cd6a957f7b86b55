/// Carts and purchases of buyers. [CartClient] and [PurchaseClient] call the order service.
@NullMarked
package toystore.frontend.carts;

import org.jspecify.annotations.NullMarked;
