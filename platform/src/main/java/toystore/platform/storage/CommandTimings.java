package toystore.platform.storage;

/// The times of one command's steps in a [SingleWriter], as values of [System#nanoTime].
///
/// ```
/// submitted ── queue ──▶ taken ── decide ──▶ decided     the rest of the batch is decided
///                        commit.began ── rows ──▶ commit.syncing ── COMMIT ──▶ commit.ended
/// ```
///
/// @param submitted the command entered the queue
/// @param taken its decision began; all earlier commands, also of its batch, were decided
/// @param decided it was decided, but not yet written
/// @param commit the commit of its batch
public record CommandTimings(long submitted, long taken, long decided, Commit commit) {
  public long queueNanos() {
    return taken - submitted;
  }

  public long decideNanos() {
    return decided - taken;
  }

  /// The commit of a batch.
  ///
  /// @param number sequence number of the batch since this writer started, from 1
  /// @param size number of commands in the batch
  /// @param began all commands were decided; writing the rows began
  /// @param syncing the rows were written; COMMIT began to append them to the log and sync it
  /// @param ended the batch is on disk
  public record Commit(long number, int size, long began, long syncing, long ended) {
    public long nanos() {
      return ended - began;
    }

    /// Time of COMMIT alone: the append to the log and its sync.
    public long syncNanos() {
      return ended - syncing;
    }
  }
}
