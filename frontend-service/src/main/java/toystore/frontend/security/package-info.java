/// Spring Security: who may call what. [SecurityConfiguration] declares the roles of the API's
/// routes, [SessionClient] asks the account service whose token a request has, and controllers get
/// a [UserSession]. The pages have their own chain in [toystore.frontend.page.market].
@NullMarked
package toystore.frontend.security;

import org.jspecify.annotations.NullMarked;
