/// Whether the judge of a raging network sees, and what the links do.
@NullMarked
package toystore.torture.network;

import org.jspecify.annotations.NullMarked;
