/// Toys, prices, stock and sales.
///
/// A request arrives at [CatalogRpc] (or [CatalogAdminRpc]). A query is answered from the published
/// [Catalog], one map look-up. A command goes to the writer: the [Till] decides it,
/// [CatalogBatchStore] commits what it decided through [ProductStore] and [SaleStore] in one
/// transaction, publishes it to the catalog, and only then is it answered. [CatalogAudit] proves
/// from the rows that all is right.
@NullMarked
package toystore.catalog;

import org.jspecify.annotations.NullMarked;
