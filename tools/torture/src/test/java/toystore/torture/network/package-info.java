/// Tests of the checker of recorded histories.
@NullMarked
package toystore.torture.network;

import org.jspecify.annotations.NullMarked;
