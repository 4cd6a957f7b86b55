/// Statistics of experiments: intervals over blocks, drift, verdicts, slopes and variance
/// components. Plain Java without input or output.
@NullMarked
package toystore.lab.stats;

import org.jspecify.annotations.NullMarked;
