/// How state is kept: one thread changes it, and nothing is answered before it is on disk.
///
/// [SingleWriter] takes commands in batches; a [Ledger] decides them, commits the batch and
/// publishes it; a [WriterListener] is told how long each of the [Steps] took. [SqliteFile] is the
/// file that is written, with a [ReadPool] beside the writer's connection. [DataFolder] sees to it
/// that one process alone writes it.
///
/// A service that keeps an entity needs three things of its own: a migration, a store that names
/// its [ChecksummedTable], and a [SqliteLedger] that decides.
@NullMarked
package toystore.platform.storage;

import org.jspecify.annotations.NullMarked;
