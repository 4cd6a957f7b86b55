/// The idempotency key of a request.
@NullMarked
package toystore.frontend.http.key;

import org.jspecify.annotations.NullMarked;
