/// Tests of docs/guarantees.md, and tests that run the short form of the trials.
@NullMarked
package toystore.torture;

import org.jspecify.annotations.NullMarked;
