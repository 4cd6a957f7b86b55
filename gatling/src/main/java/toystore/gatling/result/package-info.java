/// The stored data of experiments: one folder per run, written during the run and read by reports.
@NullMarked
package toystore.gatling.result;

import org.jspecify.annotations.NullMarked;
