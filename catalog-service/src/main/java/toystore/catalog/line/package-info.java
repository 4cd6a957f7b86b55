/// A text protocol over TCP that a hand-made pool of threads serves: a request is a line, and so is
/// its answer. What the lines mean is the caller's; here is how threads, connections and lines
/// meet.
///
/// ```
///            PerConnection                          PerRequest
/// accept     a thread that only accepts             a thread that watches all connections
/// queued     the connection                         a connection that has something to read
/// a worker   serves it until it is closed           answers one line of it
/// ```
@NullMarked
package toystore.catalog.line;

import org.jspecify.annotations.NullMarked;
