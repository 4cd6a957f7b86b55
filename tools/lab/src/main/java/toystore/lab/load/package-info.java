/// What is measured in a cell of one start.
///
/// ```
/// CellRows         what the clients recorded, see [toystore.clients.load], and what it cost
///  ├─ CellMeter    CPU time, disk syncs and steal time during a cell
///  └─ OpenLoopCheck   whether the latencies of an open loop mean anything
/// NullServer       what the load client itself costs
/// ```
@NullMarked
package toystore.lab.load;

import org.jspecify.annotations.NullMarked;
