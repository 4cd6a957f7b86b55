/// Products, their stock and their sales. The published [Catalog] answers queries from memory. A
/// [CatalogCommand] is decided by the [CatalogDecider] of its batch. Plain Java.
@NullMarked
package toystore.catalog.domain;

import org.jspecify.annotations.NullMarked;
