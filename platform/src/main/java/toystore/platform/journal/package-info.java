/// Makes requests safe to repeat. The answer to a key is stored in the commit that decides it, and
/// a repeat gets the stored answer.
///
/// ```
/// Submitted   a KeyedCommand, its RequestKey and RequestHash, until when to decide it
///      │ already answered, in this batch or on disk?
/// KeyJournal  yes: the stored Answer, or KEY_REUSED; no: decide, and keep the Answer
///      │ in the transaction of the batch
/// its table   sales forever, refusals and changes of carts for a day, deleted in steps
/// ```
///
/// A key that the client did not make belongs to a request that is sent once. A service may assume
/// that such a key is new: the look-up takes 7 of the 15 µs that the catalog's writer needs for a
/// buy (SQLite, 64 buys a batch), and a round trip on PostgreSQL. If the key is not new, the batch
/// is decided again and the repeat gets the stored answer.
///
/// A service provides its [KeyedCommand]s, their [KeyedUnitOfWork] and a table created by
/// [KeyJournal#table].
@NullMarked
package toystore.platform.journal;

import org.jspecify.annotations.NullMarked;
