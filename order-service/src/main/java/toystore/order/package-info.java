/// The order service and its order book.
///
/// [OrderRpc] receives an order and asks the catalog to sell it ([SalesClient]). The commit in the
/// catalog is the sale. The order is then added to [RecentOrders] and answered. [SalesReplicator]
/// copies all sales of the catalog to the order book on disk ([BookBatchStore], [OrderBookStore]),
/// page by page and without gaps. It resumes at the last committed order after a crash or restart.
/// [OrderAudit] compares the book with the catalog.
@NullMarked
package toystore.order;

import org.jspecify.annotations.NullMarked;
