/// Orders and trades: placed by anyone, looked at by number. [OrdersController] reads and answers,
/// [OrderClient] asks the order service.
@NullMarked
package toystore.frontend.orders;

import org.jspecify.annotations.NullMarked;
