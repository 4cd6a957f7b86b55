/// Gatling simulations. Each runs alone against any store, or as the load client of an experiment:
///
/// ```
/// ./mvnw -pl tools/lab -am gatling:test -Dgatling.simulationClass=toystore.lab.simulation.QueryVsBuySimulation -Durl=http://127.0.0.1:8080
/// ```
@NullMarked
package toystore.lab.simulation;

import org.jspecify.annotations.NullMarked;
