/// Fault-injection tests of the guarantees in docs/guarantees.md.
///
/// ```
/// Torture          the main program: runs rounds of all trials until their time is over
/// Trial            one kind of fault and its checks: RandomKills, CrashPointKills …
/// CatalogBuyers    clients that buy directly from a catalog; clients of a whole store are in
///                  toystore.testkit
/// MarketplaceBuyers  clients that fill carts and buy them; CustomerCarts is what they must find
/// ```
///
/// Start at [Torture] or at a trial.
@NullMarked
package toystore.torture;

import org.jspecify.annotations.NullMarked;
