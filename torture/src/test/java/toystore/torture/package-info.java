/// The short form of the trials.
@NullMarked
package toystore.torture;

import org.jspecify.annotations.NullMarked;
