/// Carts and purchases of buyers. [CartClient] calls the order service.
@NullMarked
package toystore.frontend.carts;

import org.jspecify.annotations.NullMarked;
