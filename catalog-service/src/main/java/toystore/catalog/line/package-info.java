/// A text protocol over TCP with its own thread pool. A request and its answer are one line each.
/// The caller defines the content of the lines; this package manages threads, connections and
/// lines.
///
/// ```
///            ThreadPerConnection                    ThreadPerRequest
/// accept     a thread that only accepts             a thread that waits for all connections
/// queued     the connection                         a connection that has input
/// a worker   serves it until it is closed           answers one line of it
/// ```
@NullMarked
package toystore.catalog.line;

import org.jspecify.annotations.NullMarked;
