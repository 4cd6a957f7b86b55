/// Gatling simulations, which measure any running store:
///
/// ```
/// ./mvnw -pl gatling -am gatling:test -Durl=http://127.0.0.1:8080
/// ```
///
/// Start with [QueryVsBuySimulation].
@NullMarked
package toystore.gatling;

import org.jspecify.annotations.NullMarked;
