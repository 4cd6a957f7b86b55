package toystore.platform.storage;

import java.sql.SQLException;

/// The transactions of a [Database], as a [SingleWriter] needs them. Used by its thread.
public interface Transactions {
  /// Commits the transaction, with the collected statements. If the answer to the COMMIT is lost,
  /// waits until it is known whether it was done: before that nothing can be decided or answered.
  ///
  /// @throws SQLException if the commit was certainly not done; nothing of it remains
  /// @throws TakenOverException if it is unknown whether it was done; the process must end
  void commit() throws SQLException;

  void rollback();

  /// Commits a small change to test whether the database is writable again.
  void probe() throws SQLException;

  /// Housekeeping between two batches.
  void tidy() throws SQLException;

  /// Connects again if a failure was the loss of the connection. Waits for the database, but not
  /// for ever.
  ///
  /// @return whether the failed transaction, of which nothing remains, may be tried again
  boolean tryReconnect(Exception failure) throws SQLException;
}
