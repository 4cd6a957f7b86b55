/// The reasons of errors and refusals.
@NullMarked
package toystore.platform.error;

import org.jspecify.annotations.NullMarked;
