/// Errors of the API: [ApiException].
@NullMarked
package toystore.frontend.http.error;

import org.jspecify.annotations.NullMarked;
