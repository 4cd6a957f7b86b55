package toystore.platform.storage;

import java.sql.SQLException;

/// The state that a [SingleWriter] changes. Only the writer's thread calls its methods.
///
/// @param <C> a command
/// @param <A> an answer; a refusal is also an answer
public interface BatchStore<C, A> {
  /// Begins a batch based on the published state.
  Batch<C, A> open();

  /// Housekeeping between two batches, and periodically when no commands arrive. Must be fast.
  void tidy() throws SQLException;

  /// Commits a small change to test whether a disk that was full is writable again.
  void probe() throws SQLException;

  /// Commands that are committed atomically. If [#decide] or [#write] throws
  /// [DecideAgainException], the batch is rolled back and its commands are decided again, in a new
  /// batch. If that one throws it, too, the batch has failed.
  interface Batch<C, A> {
    /// Decides a command based on the published state and the changes of this batch. Changes
    /// nothing outside the batch.
    A decide(C command) throws SQLException;

    /// Writes the rows of the batch into an open transaction.
    void write() throws SQLException;

    /// Commits the transaction, which makes the batch durable. If it fails, none of the batch
    /// remains.
    void commit() throws SQLException;

    /// Discards the batch. Called if an earlier step failed.
    void rollback();

    /// Publishes the committed batch to readers. Must not fail.
    void publish();
  }
}
