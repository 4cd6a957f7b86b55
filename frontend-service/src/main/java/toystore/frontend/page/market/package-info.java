/// The pages of the marketplace, under `/market`, and of the exchange, `/exchange`.
@NullMarked
package toystore.frontend.page.market;

import org.jspecify.annotations.NullMarked;
