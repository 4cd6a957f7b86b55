/// The order service: the order book, carts and purchases.
///
/// [OrderRpc] receives an order and asks the catalog to sell it ([SalesClient]). The commit in the
/// catalog is the sale. The order is then added to [RecentOrders] and answered. [SalesReplicator]
/// copies all sales of the catalog to the order book on disk ([BookBatchStore], [OrderBookStore]),
/// page by page and without gaps. It resumes at the last committed order after a crash or restart.
/// [OrderAudit] compares the book with the catalog.
///
/// [CartRpc] serves carts, [PurchaseRpc] purchases. [PurchaseDriver] drives each [Purchase] through
/// payment and sale, and continues it after a restart. [PurchaseAudit] compares purchases with
/// sales and payments. See `docs/one-purchase.md`.
///
/// One writer changes all of it: [OrderBatchStore].
@NullMarked
package toystore.order;

import org.jspecify.annotations.NullMarked;
