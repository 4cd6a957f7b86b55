package toystore.platform.storage;

import java.sql.SQLException;

/// What is known after a COMMIT was sent. A commit that was certainly not done is an
/// [SQLException].
public sealed interface CommitOutcome {
  /// The commit is durable.
  enum Done implements CommitOutcome {
    DONE
  }

  /// The answer was lost, so the commit may have been done. All that is left to the writer is to
  /// find out: before that it can neither decide nor answer anything.
  non-sealed interface InDoubt extends CommitOutcome {
    /// Waits until it is known whether the commit was done.
    ///
    /// @return whether it was done; if not, nothing of it remains
    /// @throws TakenOverException if that cannot be found out; the process must end
    boolean resolve() throws TakenOverException;

    /// Like [#resolve].
    ///
    /// @throws SQLException if it was not done
    default void requireDone() throws SQLException {
      if (!resolve()) {
        throw PostgresServer.notConnected("the connection was lost before the commit", null);
      }
    }
  }
}
