/// Tests of the load engine.
@NullMarked
package toystore.clients.load;

import org.jspecify.annotations.NullMarked;
