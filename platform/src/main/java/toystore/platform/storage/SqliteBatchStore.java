package toystore.platform.storage;

import java.sql.SQLException;

/// Common part of the batch stores on a [SqliteFile]. A subclass has the decider, writes its rows
/// (see [ChecksummedTable]) and publishes. Used by the writer's thread.
public abstract class SqliteBatchStore<D> implements BatchStore<D> {
  private final SqliteFile file;

  protected SqliteBatchStore(SqliteFile file) {
    this.file = file;
  }

  @Override
  public void tidy() throws SQLException {
    file.tidy();
  }

  @Override
  public void probe() throws SQLException {
    file.probe();
  }

  /// A batch that is one transaction of the file.
  protected abstract class Transaction implements Batch<D> {
    /// Decides the commands of this batch.
    protected abstract D decider() throws SQLException;

    @Override
    public final <R> R decide(Command<D, R> command) throws SQLException {
      return command.decide(decider());
    }

    @Override
    public final void commit() throws SQLException {
      file.commit();
    }

    @Override
    public final void rollback() {
      file.rollback();
    }
  }
}
