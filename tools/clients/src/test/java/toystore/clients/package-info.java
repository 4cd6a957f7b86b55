/// Tests of the test tools.
@NullMarked
package toystore.clients;

import org.jspecify.annotations.NullMarked;
