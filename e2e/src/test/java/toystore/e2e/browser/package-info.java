/// Tests of the pages in a real Chromium, against the whole store in one JVM.
@NullMarked
package toystore.e2e.browser;

import org.jspecify.annotations.NullMarked;
