/// Where the stores are that experiments measure: started here in one of several ways, or running
/// elsewhere. Whatever is started ends with the program.
@NullMarked
package toystore.gatling.environment;

import org.jspecify.annotations.NullMarked;
