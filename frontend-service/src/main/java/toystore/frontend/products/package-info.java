/// Products and stocks. [ProductsController] and [StocksController] serve the same products under
/// two paths. The administrator can change them. [ProductClient] calls the catalog.
@NullMarked
package toystore.frontend.products;

import org.jspecify.annotations.NullMarked;
