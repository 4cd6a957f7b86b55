/// The console: a page that shows the running store, sends load to it and injects faults. Start at
/// [Console].
///
/// ```
/// browser ── loopback, token ──▶ ConsoleServer ──▶ Console ──┬──▶ Topology   processes, calls
///                                                            ├──▶ Loads      load, sweep
///                                                            └──▶ Faults     what is promised, and whether it held
/// ```
///
/// [Topology] reads each process's health and metrics once a second while the page is open.
@NullMarked
package toystore.cli.console;

import org.jspecify.annotations.NullMarked;
