/// The catalog: products, prices, stock and sales.
///
/// Requests arrive at [CatalogRpc], [CatalogAdminRpc] or [ItemRpc]. A query is answered from the
/// published [Catalog] with one map look-up; sellers' products are in its [Items]. A command goes
/// to the writer: the [CatalogDecider] decides it, and [CatalogBatchStore] commits the decision
/// through [ProductStore] and [SaleStore] in one transaction and publishes it to the catalog. Only
/// then is the command answered. A [CatalogWatchRpc] sends the names of changed products to a
/// frontend with a cache. [CatalogAudit] checks the invariants against the rows.
@NullMarked
package toystore.catalog;

import org.jspecify.annotations.NullMarked;
