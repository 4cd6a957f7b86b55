/// The order service: orders, carts and purchases (`docs/one-purchase.md`).
///
/// ```
/// rpc
///   │ an order      OrderRpc sends it to the catalog, whose commit is the sale, and reads it there
///   │ a cart        CartRpc submits a command; it is answered after the commit
///   │ a purchase    PurchaseRpc hands it to the driver
///   ▼
/// purchases  PurchaseDriver: payment and sale, also after a restart; recovery; audit
/// domain     an OrderCommand decides on an OrderUnitOfWork; Purchase and its states, Cart
/// storage    OrderBatches writes the carts and purchases of a batch
/// ```
@NullMarked
package toystore.order;

import org.jspecify.annotations.NullMarked;
