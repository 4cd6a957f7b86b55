/// Products and stocks. [ProductsController] serves the same products under two paths. The
/// administrator can change them. [ProductClient] calls the catalog, or answers a query from the
/// [ProductCache], which [ProductWatchClient] keeps current.
@NullMarked
package toystore.frontend.products;

import org.jspecify.annotations.NullMarked;
