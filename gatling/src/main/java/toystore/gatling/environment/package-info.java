/// The stores that experiments measure: started here in several ways, or already running.
/// Everything that is started here stops with the program.
@NullMarked
package toystore.gatling.environment;

import org.jspecify.annotations.NullMarked;
