/// [CatalogBatches] commits the decisions of a batch in one transaction and publishes them;
/// [CatalogAudit] checks the invariants against the rows.
@NullMarked
package toystore.catalog.storage;

import org.jspecify.annotations.NullMarked;
