/// The catalog over gRPC. [CatalogMessages] converts; [CatalogWatchRpc] sends the names of changed
/// products to a frontend with a cache.
@NullMarked
package toystore.catalog.rpc;

import org.jspecify.annotations.NullMarked;
