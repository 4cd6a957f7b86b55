/// Spring Security for all pages with a login.
@NullMarked
package toystore.frontend.page.security;

import org.jspecify.annotations.NullMarked;
