/// The HTML pages of the shop. They are rendered on the server and work without JavaScript. With
/// JavaScript, htmx replaces parts of a page. [PageConfiguration] decides which requests get a
/// page, [PageController], [BuyController] and [BasketController] answer them, and [PageView] is a
/// template of `resources/page` with the headers of a page. `message.html` shows errors. A
/// [ProductCard] is a product on a page. It contains the idempotency key of its form, so that a
/// double click buys once. The pages of the marketplace are in `market`.
@NullMarked
package toystore.frontend.page;

import org.jspecify.annotations.NullMarked;
