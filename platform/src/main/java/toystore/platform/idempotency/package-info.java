/// How a request is made one that may be repeated: what its key was answered is kept in the commit
/// that decides it, and a repeat gets it again.
///
/// ```
/// RequestKey          scope (method, path, user or nobody) and value; RequestHash of what is asked
///      │ answered before, in this batch or on disk?
/// KeyedAnswers        one batch: yes: the answer again, or KEY_REUSED; no: decide, and keep it
///      │ in the batch's own transaction
/// IdempotencyRecords  the table: sales for ever, refusals for a day, forgotten in small steps
/// ```
///
/// A service gives a [ResponseCodec] for its kind of answer, and a table made by
/// [IdempotencyRecords#table].
@NullMarked
package toystore.platform.idempotency;

import org.jspecify.annotations.NullMarked;
