/// Products as customers see them ([ProductsController], and under their other name
/// [StocksController]) and as the administrator changes them. [CatalogClient] asks the catalog.
@NullMarked
package toystore.frontend.products;

import org.jspecify.annotations.NullMarked;
