/// Gatling simulations as the load client of an experiment.
@NullMarked
package toystore.lab.simulation;

import org.jspecify.annotations.NullMarked;
