/// The catalog: products, prices, stock and sales.
///
/// ```
/// rpc
///   │ a query      answered by the published Catalog (domain) or its Items, one map look-up
///   ▼ a command
/// domain   CatalogUnitOfWork decides
/// storage  CatalogBatches: one commit, then the Catalog is published; then the answer
/// ```
///
/// [toystore.catalog.line] is the line protocol.
@NullMarked
package toystore.catalog;

import org.jspecify.annotations.NullMarked;
