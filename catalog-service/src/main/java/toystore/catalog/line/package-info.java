/// A text protocol over TCP with a thread pool of its owner. A request and its answer are one line
/// each. The caller defines the content of the lines; this package manages threads, connections and
/// lines.
///
/// ```
///            Serving.CONNECTION             Serving.REQUEST
/// waits      for all lines of a connection  a virtual thread for the lines of a connection,
/// a worker   answers them until its end     answers one line
/// ```
@NullMarked
package toystore.catalog.line;

import org.jspecify.annotations.NullMarked;
