/// Fault-injection tests of the guarantees in docs/guarantees.md.
///
/// ```
/// Torture      the main program: the list of trials
/// TrialRunner  runs rounds of the trials until their time is over
/// Trial        one kind of fault and its checks: KillsAndPowerCuts, DiskFaults …
/// Workload     the clients of KillsAndPowerCuts, of which ExchangeTraders and StockTraders are
///              here, MarketplaceBuyers in the package trial, and those that buy in the store in
///              toystore.clients
/// LoadClients  clients that send as much as they can
/// ```
///
/// Planted bugs and the table of docs/guarantees.md are scripts in tools/torture/mistakes. Start at
/// [Torture] or at a trial.
@NullMarked
package toystore.torture;

import org.jspecify.annotations.NullMarked;
