/// The pages in a real Chromium, before the whole store in one JVM.
@NullMarked
package toystore.browser;

import org.jspecify.annotations.NullMarked;
