package toystore.torture.crash;

import java.sql.SQLException;
import toystore.platform.storage.BatchStore;
import toystore.platform.storage.Command;

/// A batch store with crash points in its batches. The writer's thread only.
public record CrashingBatchStore<D>(BatchStore<D> batchStore) implements BatchStore<D> {
  @Override
  public Batch<D> open() {
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

  private record CrashingBatch<D>(Batch<D> batch) implements Batch<D> {
    @Override
    public <R> R decide(Command<D, R> command) throws SQLException {
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
