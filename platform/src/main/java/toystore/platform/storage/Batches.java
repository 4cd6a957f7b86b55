package toystore.platform.storage;

import java.sql.SQLException;

/// The state of a service: reads what is committed, and begins the batches that change it. Used by
/// the thread that starts a [SingleWriter], then by the writer's.
public interface Batches<U extends UnitOfWork> {
  /// Reads the committed state and publishes it.
  default void load() throws SQLException {}

  /// Begins the unit of work of a batch, based on the published state.
  U begin() throws SQLException;
}
