/// What pages with forms share: those of the [marketplace][toystore.frontend.page.market] and the
/// [administrator's][toystore.frontend.page.admin]. They work without a script. Every form has the
/// CSRF token of its session ([FormTokens]) and an idempotency key, made when the page is rendered.
/// A successful form redirects to a page with a [Notice], which is a flash attribute in a
/// [NoticeCookie]; a refused one is shown again by [FormAdvice] with a [PageMessage].
@NullMarked
package toystore.frontend.page.form;

import org.jspecify.annotations.NullMarked;
