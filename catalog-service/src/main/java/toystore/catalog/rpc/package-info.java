/// The catalog over gRPC: [CatalogRpc], [CatalogAdminRpc], [ItemRpc] and [BazaarRpc], which convert
/// messages by [CatalogMessages]. A [CatalogWatchRpc] sends the names of changed products to a
/// frontend with a cache.
@NullMarked
package toystore.catalog.rpc;

import org.jspecify.annotations.NullMarked;
