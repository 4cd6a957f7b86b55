/// The load client: a JVM of its own that runs the cells of one start and writes a row for each.
///
/// ```
/// LoadProgram          reads a StartPlan and runs its phases
///  ├─ ClosedLoop       clients that wait for each response before they send again
///  ├─ OpenLoop         requests at random times of a given rate, however many are outstanding
///  │   └─ CallSource   the next request of a kind and the check of its response
///  │       └─ LoadConnection  HTTP, gRPC or the line protocol, by the scheme of the URL
///  └─ CellMeter        CPU time, disk syncs and steal time during a cell
/// ```
@NullMarked
package toystore.lab.load;

import org.jspecify.annotations.NullMarked;
