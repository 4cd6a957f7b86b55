/// The evaluation lab: `./toystore lab`.
@NullMarked
package toystore.lab;

import org.jspecify.annotations.NullMarked;
