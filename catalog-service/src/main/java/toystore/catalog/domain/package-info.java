/// Products, their stock and their sales. The published [Catalog] answers queries from memory. A
/// [CatalogCommand] is decided by the [CatalogDecider] of its batch. The sellers' products are
/// [Items], found by id, seller, or category and keywords ([PostingIndex]). Plain Java.
@NullMarked
package toystore.catalog.domain;

import org.jspecify.annotations.NullMarked;
