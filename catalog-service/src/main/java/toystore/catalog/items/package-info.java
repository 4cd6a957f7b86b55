/// The sellers' products, found by id, seller, or category and keywords. [Items] answers queries
/// from memory, searches by its [PostingIndex]. Plain Java.
@NullMarked
package toystore.catalog.items;

import org.jspecify.annotations.NullMarked;
