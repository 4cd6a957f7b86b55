/// The load client: a JVM of its own that runs the cells of one start and writes a row for each.
///
/// ```
/// LoadProgram          reads a StartPlan and runs its phases
///  ├─ ClosedLoop, OpenLoop   send requests and check the responses, see [toystore.clients.load]
///  └─ CellRows               writes what they recorded
///      └─ CellMeter          CPU time, disk syncs and steal time during a cell
/// ```
@NullMarked
package toystore.lab.load;

import org.jspecify.annotations.NullMarked;
