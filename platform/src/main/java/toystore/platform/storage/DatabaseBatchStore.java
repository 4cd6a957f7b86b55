package toystore.platform.storage;

import java.sql.Connection;
import java.sql.SQLException;

/// Common part of the batch stores on a [Database]. A subclass has the decider, reads the committed
/// state, writes its rows (see [ChecksummedTable]) and publishes. Used by the writer's thread.
public abstract class DatabaseBatchStore<D> implements BatchStore<D> {
  private final Database database;

  protected DatabaseBatchStore(Database database) {
    this.database = database;
  }

  /// Reads the committed state and publishes it. Called once, before the writer starts.
  public final void load() throws SQLException {
    load(database.writing());
    database.rollback();
  }

  /// Reads the committed state and publishes it.
  ///
  /// @param writing the connection of the writer
  protected abstract void load(Connection writing) throws SQLException;

  @Override
  public void tidy() throws SQLException {
    database.tidy();
  }

  @Override
  public boolean mayDecideAgain(Exception failure) throws SQLException {
    return BatchStore.super.mayDecideAgain(failure) || database.tryReconnect(failure);
  }

  @Override
  public void probe() throws SQLException {
    database.probe();
  }

  /// A batch that is one transaction of the database.
  protected abstract class Transaction implements Batch<D> {
    /// Decides the commands of this batch.
    protected abstract D decider() throws SQLException;

    @Override
    public final <R> R decide(Command<D, R> command) throws SQLException {
      return command.decide(decider());
    }

    @Override
    public final CommitOutcome commit() throws SQLException {
      return database.tryCommit();
    }

    @Override
    public final void rollback() {
      database.rollback();
    }
  }
}
