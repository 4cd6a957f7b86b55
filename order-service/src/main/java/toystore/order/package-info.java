/// The book of orders.
///
/// An order arrives at [OrderRpc], which asks the catalog to sell it ([CatalogClient]); the
/// catalog's commit is the sale. The order is then entered among the [RecentOrders] and answered.
/// The [SalesReplicator] brings the catalog's sales into the book on disk ([BookLedger],
/// [BookStore]), in pages and without gap, whoever sold them and whatever was killed in between.
/// [OrderAudit] compares book and catalog.
@NullMarked
package toystore.order;

import org.jspecify.annotations.NullMarked;
