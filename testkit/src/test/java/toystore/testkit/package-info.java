/// Whether the tools of the tests do what they say.
@NullMarked
package toystore.testkit;

import org.jspecify.annotations.NullMarked;
