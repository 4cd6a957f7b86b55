/// What people read.
@NullMarked
package toystore.gatling.report;

import org.jspecify.annotations.NullMarked;
