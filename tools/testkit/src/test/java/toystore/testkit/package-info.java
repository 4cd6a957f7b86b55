/// Tests of the test tools.
@NullMarked
package toystore.testkit;

import org.jspecify.annotations.NullMarked;
