package toystore.platform.storage;

import java.sql.SQLException;

/// The state that a [SingleWriter] changes. Only the writer's thread calls its methods.
///
/// @param <D> decides the commands of a batch
public interface BatchStore<D> {
  /// Begins a batch based on the published state.
  Batch<D> open();

  /// Whether a batch that failed and was rolled back may be decided again, in a new batch. If that
  /// one fails, too, its commands have failed.
  default boolean mayDecideAgain(Exception failure) throws SQLException {
    return failure instanceof DecideAgainException;
  }

  /// Housekeeping between two batches, and periodically when no commands arrive. Must be fast.
  void tidy() throws SQLException;

  /// Commits a small change to test whether a disk that was full is writable again.
  void probe() throws SQLException;

  /// Commands that are committed atomically.
  interface Batch<D> {
    /// Lets a command be decided based on the published state and the changes of this batch.
    <R> R decide(Command<D, R> command) throws SQLException;

    /// Writes the rows of the batch into an open transaction.
    void write() throws SQLException;

    /// Commits the transaction, which makes the batch durable.
    ///
    /// @throws SQLException if it was certainly not done; none of the batch remains
    CommitOutcome commit() throws SQLException;

    /// Discards the batch. Called if an earlier step failed.
    void rollback();

    /// Publishes the committed batch to readers. Must not fail.
    void publish();
  }
}
