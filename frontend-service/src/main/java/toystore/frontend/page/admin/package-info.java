/// The administrator's pages, under `/admin`: products, imports, orders, stocks, the exchange's
/// symbols, the audit and the list of changes. The administrator's token begins a session
/// ([AdminSessions]), which a cookie of its own holds; the catalog knows which have ended.
@NullMarked
package toystore.frontend.page.admin;

import org.jspecify.annotations.NullMarked;
