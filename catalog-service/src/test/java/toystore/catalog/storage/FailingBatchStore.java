package toystore.catalog.storage;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import toystore.platform.storage.BatchStore;
import toystore.platform.storage.Command;
import toystore.platform.storage.CommitOutcome;

/// A [BatchStore] whose batches fail at the points that a test has planned.
final class FailingBatchStore<D> implements BatchStore<D> {
  private final BatchStore<D> batchStore;
  private final Queue<Break> plan = new ConcurrentLinkedQueue<>();
  private final List<Taken<D>> taken = new CopyOnWriteArrayList<>();

  /// The point at which a batch fails. At a `DIES_` point the writer's thread ends, and the
  /// commands of the batch are never answered.
  enum Break {
    NOWHERE,
    WRITE_FAILS,
    COMMIT_FAILS,
    DIES_BEFORE_COMMIT,
    DIES_AFTER_COMMIT,
    DIES_AFTER_PUBLISH;

    boolean fails() {
      return this == WRITE_FAILS || this == COMMIT_FAILS;
    }

    boolean dies() {
      return this != NOWHERE && !fails();
    }

    boolean isCommitted() {
      return this == NOWHERE || this == DIES_AFTER_COMMIT || this == DIES_AFTER_PUBLISH;
    }
  }

  /// A batch and the point at which it failed.
  record Taken<D>(List<Command<D, ?>> commands, Break at) {}

  /// Ends the writer's thread, like a kill of the process.
  static final class Died extends Error {
    private static final long serialVersionUID = 1L;
  }

  FailingBatchStore(BatchStore<D> batchStore) {
    this.batchStore = batchStore;
  }

  /// Plans the points at which the next batches fail. Later batches do not fail.
  void plan(List<Break> breaks) {
    taken.clear();
    plan.clear();
    plan.addAll(breaks);
  }

  /// Returns the batches since the last call of [#plan].
  List<Taken<D>> taken() {
    return List.copyOf(taken);
  }

  @Override
  public Batch<D> open() {
    Break planned = plan.poll();
    return new Breaking(batchStore.open(), planned == null ? Break.NOWHERE : planned);
  }

  @Override
  public void tidy() throws SQLException {
    batchStore.tidy();
  }

  @Override
  public void probe() throws SQLException {
    batchStore.probe();
  }

  private final class Breaking implements Batch<D> {
    private final Batch<D> batch;
    private final Break at;
    private final List<Command<D, ?>> commands = new ArrayList<>();

    Breaking(Batch<D> batch, Break at) {
      this.batch = batch;
      this.at = at;
    }

    @Override
    public <R> R decide(Command<D, R> command) throws SQLException {
      commands.add(command);
      return batch.decide(command);
    }

    @Override
    public void write() throws SQLException {
      if (at != Break.WRITE_FAILS) {
        batch.write(); // the batch may have to be decided again
      }
      taken.add(new Taken<>(List.copyOf(commands), at));
      failAt(Break.WRITE_FAILS);
    }

    @Override
    public CommitOutcome commit() throws SQLException {
      failAt(Break.COMMIT_FAILS);
      dieAt(Break.DIES_BEFORE_COMMIT);
      CommitOutcome outcome = batch.commit();
      dieAt(Break.DIES_AFTER_COMMIT);
      return outcome;
    }

    @Override
    public void rollback() {
      batch.rollback();
    }

    @Override
    public void publish() {
      batch.publish();
      dieAt(Break.DIES_AFTER_PUBLISH);
    }

    private void failAt(Break point) throws SQLException {
      if (at == point) {
        throw new SQLException("planned: " + point);
      }
    }

    private void dieAt(Break point) {
      if (at == point) {
        throw new Died();
      }
    }
  }
}
