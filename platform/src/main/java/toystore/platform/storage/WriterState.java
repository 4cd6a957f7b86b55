package toystore.platform.storage;

import java.sql.SQLException;

/// What the writer of a [PostgresSchema] can do now. Used by the writer's thread.
///
/// ```
///          connects                  loses the answer to a COMMIT
/// Away ───────────────▶ WriterSession ────────────────────────────▶ InDoubt
///   ▲  ◀───────────────       ▲                                        │
///      loses it between two   └────────────────────────────────────────┘
///      commits                  connects and reads the number of the last batch
/// ```
sealed interface WriterState permits WriterSession, WriterState.Away, WriterState.InDoubt {
  /// Not connected, and no commit is in doubt.
  record Away() implements WriterState {}

  /// Not connected, and the commit of a batch may have been done: there is no session, so nothing
  /// can be read, decided or written.
  ///
  /// @param batch the number of the batch
  /// @param failure what was received in place of the answer
  record InDoubt(long batch, Exception failure) implements WriterState {}

  /// The session, for statements.
  ///
  /// @throws SQLException if the connection was lost
  /// @throws IllegalStateException if a commit is in doubt
  default WriterSession session() throws SQLException {
    return switch (this) {
      case WriterSession session -> session;
      case Away _ -> throw PostgresServer.notConnected("not connected", null);
      case InDoubt doubt ->
          throw new IllegalStateException("commit of batch " + doubt.batch + " is in doubt");
    };
  }
}
