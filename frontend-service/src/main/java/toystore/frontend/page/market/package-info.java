/// The pages of the marketplace, under `/market`, and of the exchange, `/exchange`. A cookie
/// ([SessionCookie]) holds the session's token.
@NullMarked
package toystore.frontend.page.market;

import org.jspecify.annotations.NullMarked;
