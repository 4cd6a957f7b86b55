/// The shop as a browser shows it, drawn here whole and usable without JavaScript; with it, htmx
/// puts parts of the same pages in place. [PageController] answers, [Drawing] draws the templates
/// in `resources/page`, [AssetsController] hands out what they refer to. A toy on a page is a
/// [ProductCard]: it bears the key its button buys by, so that a double click buys once.
@NullMarked
package toystore.frontend.page;

import org.jspecify.annotations.NullMarked;
