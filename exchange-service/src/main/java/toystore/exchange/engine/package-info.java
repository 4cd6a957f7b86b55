/// The matching engine. Plain Java on one thread: no clock, no I/O, no floating point, so the same
/// commands always give the same results.
@NullMarked
package toystore.exchange.engine;

import org.jspecify.annotations.NullMarked;
