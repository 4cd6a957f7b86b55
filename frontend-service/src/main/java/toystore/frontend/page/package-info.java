/// The HTML pages of the shop. They are rendered on the server and work without JavaScript. With
/// JavaScript, htmx replaces parts of a page. [PageController] handles requests, [TemplateRenderer]
/// renders the templates in `resources/page`, and [AssetsConfiguration] serves static files. A
/// [ProductCard] is a toy on a page. It contains the idempotency key of its buy button, so that a
/// double click buys once.
@NullMarked
package toystore.frontend.page;

import org.jspecify.annotations.NullMarked;
