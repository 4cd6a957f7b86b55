package toystore.platform.storage;

import java.sql.SQLException;

/// Consecutive numbers, in memory.
class CountingTransactions implements Transactions, Batches<CountingTransactions.Count> {
  /// The numbers below these were assigned.
  volatile long committed;

  volatile long published;
  private long written;

  final class Count implements UnitOfWork {
    private long reached = published;

    long next() {
      return reached++;
    }

    @Override
    public void write() {
      written = reached;
    }

    @Override
    public void publish() {
      published = reached;
    }
  }

  @Override
  public Count begin() {
    return new Count();
  }

  /// Succeeds, unless a test overrides it.
  void onCommit() throws SQLException {}

  @Override
  public void commit() throws SQLException {
    onCommit();
    committed = written;
  }

  @Override
  public void rollback() {}

  @Override
  public boolean tryReconnect(Exception failure) {
    return false;
  }

  @Override
  public void tidy() {}

  @Override
  public void probe() {}
}
