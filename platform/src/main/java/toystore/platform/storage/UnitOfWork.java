package toystore.platform.storage;

import java.sql.SQLException;

/// What the commands of one batch of a [SingleWriter] read and change. They are decided against the
/// published state, the committed rows and the changes of this batch; each changed row is written
/// once. Used by the writer's thread.
public interface UnitOfWork {
  /// Writes the changed rows into the open transaction.
  void write() throws SQLException;

  /// Publishes the committed changes to readers. Must not fail.
  void publish();
}
