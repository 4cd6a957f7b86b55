/// The pages of the marketplace, under `/market`, and of the exchange, `/exchange`: plain forms
/// that work without a script. A cookie ([SessionCookie]) holds the session's token.
/// [MarketConfiguration] is their Spring Security: sessions, roles, headers and the CSRF token of
/// every form ([FormTokens]). A form also carries an idempotency key, made when the page is
/// rendered. A successful form redirects to a page with a [Notice], which is a flash attribute in a
/// [NoticeCookie]; a refused one is shown again by [FormAdvice] with a [PageMessage].
@NullMarked
package toystore.frontend.page.market;

import org.jspecify.annotations.NullMarked;
