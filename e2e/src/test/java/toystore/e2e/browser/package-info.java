/// The pages in a real Chromium, before the whole store in one JVM.
@NullMarked
package toystore.e2e.browser;

import org.jspecify.annotations.NullMarked;
