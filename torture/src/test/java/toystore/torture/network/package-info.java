/// The short form of the days on which the network rages.
@NullMarked
package toystore.torture.network;

import org.jspecify.annotations.NullMarked;
