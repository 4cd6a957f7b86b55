/// Durable state: one thread changes it, and nothing is answered before it is on disk.
///
/// [SingleWriter] takes [Command]s in batches. Those of a batch are decided against a [UnitOfWork],
/// which is written, committed and published. A [WriterListener] receives the [CommandTimings].
/// [SqliteFile] is the database file; a [ReadPool] reads it concurrently with the writer.
/// [LockedFolder] ensures that only one process writes it, [FileIdentity] that it is still the file
/// of this name.
///
/// A service that stores an entity needs three parts: a migration, a store with its
/// [ChecksummedTable], and a [UnitOfWork] with the [ReadThrough] of each kind of row.
@NullMarked
package toystore.platform.storage;

import org.jspecify.annotations.NullMarked;
