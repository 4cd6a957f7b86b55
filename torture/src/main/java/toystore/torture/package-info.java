/// Breaks the store on purpose and checks what it promises all the same.
///
/// ```
/// Torture          the program: trials in turn, until their time is over
/// Trial            one way to break it, and what must hold: RandomKills, CrashPoints …
/// CatalogBuyers    buyers of a catalog alone; those of a whole store are in toystore.testkit
/// ```
///
/// Start at [Torture], or at the trial whose promise you doubt.
@NullMarked
package toystore.torture;

import org.jspecify.annotations.NullMarked;
