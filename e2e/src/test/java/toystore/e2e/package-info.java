/// Tests of the whole store: in one JVM, as processes that are killed, and (with -Pbrowser) in a
/// browser.
@NullMarked
package toystore.e2e;

import org.jspecify.annotations.NullMarked;
