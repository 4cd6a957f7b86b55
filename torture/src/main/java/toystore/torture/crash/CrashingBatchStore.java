package toystore.torture.crash;

import java.sql.SQLException;
import toystore.platform.storage.BatchStore;

/// A batch store with crash points in its batches. The writer's thread only.
public record CrashingBatchStore<C, A>(BatchStore<C, A> batchStore) implements BatchStore<C, A> {
  @Override
  public Batch<C, A> open() {
    return new CrashingBatch<>(batchStore.open());
  }

  @Override
  public void tidy() throws SQLException {
    batchStore.tidy();
  }

  @Override
  public void probe() throws SQLException {
    batchStore.probe();
  }

  private record CrashingBatch<C, A>(Batch<C, A> batch) implements Batch<C, A> {
    @Override
    public A decide(C command) throws SQLException {
      return batch.decide(command);
    }

    @Override
    public void write() throws SQLException {
      batch.write();
    }

    @Override
    public void commit() throws SQLException {
      CrashPoint.BEFORE_COMMIT.killIfReached();
      batch.commit();
    }

    @Override
    public void rollback() {
      batch.rollback();
    }

    @Override
    public void publish() {
      CrashPoint.BEFORE_PUBLISHING.killIfReached();
      batch.publish();
      CrashPoint.BEFORE_ANSWER.killIfReached();
    }
  }
}
