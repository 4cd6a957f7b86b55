/// What experiments leave behind: a folder a run, written while it runs, read by reports.
@NullMarked
package toystore.gatling.result;

import org.jspecify.annotations.NullMarked;
