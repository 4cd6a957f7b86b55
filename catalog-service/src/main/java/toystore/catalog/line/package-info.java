/// A text protocol over TCP with a thread pool of its owner, who defines the content of the lines.
///
/// ```
///            Serving.CONNECTION             Serving.REQUEST
/// waits      for all lines of a connection  a virtual thread for the lines of a connection,
/// a worker   answers them until its end     answers one line
/// ```
@NullMarked
package toystore.catalog.line;

import org.jspecify.annotations.NullMarked;
