package toystore.platform.storage;

import java.sql.SQLException;

/// The state a [SingleWriter] changes. Its methods are called by the writer's thread alone.
///
/// @param <C> a command
/// @param <A> an answer; a refusal is an answer like any other
public interface BatchStore<C, A> {
  /// Begins a batch on the state as it is published.
  Batch<C, A> open();

  /// Housekeeping between two batches, and now and then while nothing is asked for. Must be quick.
  void tidy() throws SQLException;

  /// Commits something small, to learn whether a disk that was full takes writes again.
  void probe() throws SQLException;

  /// Commands that become durable together, or not at all.
  interface Batch<C, A> {
    /// Decides a command against the published state and what the batch has changed so far. Nothing
    /// outside the batch changes.
    A decide(C command) throws SQLException;

    /// Writes the batch's rows into a transaction that is not yet committed.
    void write() throws SQLException;

    /// Commits that transaction: the batch is durable. Where it fails nothing of it remains.
    void commit() throws SQLException;

    /// Gives the batch back: nothing of it remains. Called where a step before failed.
    void rollback();

    /// Shows the committed batch to readers. Cannot fail.
    void publish();
  }
}
