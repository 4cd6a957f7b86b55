package toystore.platform.storage;

/// When the steps of one command's way through a [SingleWriter] began and ended, as
/// [System#nanoTime] told it.
///
/// ```
/// submitted ── queue ──▶ taken ── decide ──▶ decided     the rest of the batch is decided
///                        commit.began ── rows ──▶ commit.syncing ── COMMIT ──▶ commit.ended
/// ```
///
/// @param submitted it entered the queue
/// @param taken its turn came: those before it, in its own batch too, were decided
/// @param decided it was decided, not yet written
/// @param commit of its batch
public record CommandTimings(long submitted, long taken, long decided, Commit commit) {
  /// How long it waited for its turn.
  public long queueNanos() {
    return taken - submitted;
  }

  public long decideNanos() {
    return decided - taken;
  }

  /// The commit that a batch shares.
  ///
  /// @param number counts the batches of this writer since it started, from 1
  /// @param size commands in the batch
  /// @param began the whole batch was decided; its rows are written from here on
  /// @param syncing the rows are written; COMMIT appends them to the log and syncs it
  /// @param ended the batch is on disk
  public record Commit(long number, int size, long began, long syncing, long ended) {
    /// Rows and COMMIT together.
    public long nanos() {
      return ended - began;
    }

    /// COMMIT alone: the append to the log and its sync.
    public long syncNanos() {
      return ended - syncing;
    }
  }
}
