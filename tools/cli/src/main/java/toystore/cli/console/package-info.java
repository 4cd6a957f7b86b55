/// The console: a page on which the running store is seen, loaded and disturbed. Start at
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
