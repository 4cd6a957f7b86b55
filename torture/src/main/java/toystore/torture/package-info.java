/// Breaks the store on purpose and checks what it promises all the same.
///
/// ```
/// Torture          the program: trials in turn, until their time is over
/// Trial            one way to break it, and what must hold: RandomKills, CrashPoints …
/// StoreProcesses   a store as processes, each of which may be killed and started again
/// Shoppers         customers; what they were answered is the judge
/// ```
///
/// Start at [Torture], or at the trial whose promise you doubt.
@NullMarked
package toystore.torture;

import org.jspecify.annotations.NullMarked;
