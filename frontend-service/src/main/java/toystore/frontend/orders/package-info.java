/// Orders and trades. [OrdersController] handles HTTP requests, and [OrderClient] calls the order
/// service.
@NullMarked
package toystore.frontend.orders;

import org.jspecify.annotations.NullMarked;
