/// Products, their stock and their sales. The published [Catalog] answers queries from memory. A
/// [CatalogCommand] decides itself against the [CatalogUnitOfWork] of its batch. Sellers' products
/// are [Items], found by [PostingIndex]. Plain Java.
@NullMarked
package toystore.catalog.domain;

import org.jspecify.annotations.NullMarked;
