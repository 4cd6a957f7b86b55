package toystore.catalog.storage;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import toystore.platform.storage.Batches;
import toystore.platform.storage.Command;
import toystore.platform.storage.CommandTimings;
import toystore.platform.storage.Transactions;
import toystore.platform.storage.UnitOfWork;
import toystore.platform.storage.WriterListener;

/// Fail at the points that a test has planned.
final class FailingTransactions<U extends UnitOfWork>
    implements Transactions, Batches<U>, WriterListener {
  private final Transactions transactions;
  private final Batches<U> batches;
  private final Queue<Break> plan = new ConcurrentLinkedQueue<>();
  private final List<Taken<U>> taken = new CopyOnWriteArrayList<>();
  private List<Command<U, ?>> commands = List.of();
  private Break at = Break.NOWHERE;

  /// At a `DIES_` point the writer's thread ends, and the batch is never answered.
  enum Break {
    NOWHERE,
    COMMIT_FAILS,
    DIES_BEFORE_COMMIT,
    DIES_AFTER_COMMIT,
    DIES_AFTER_PUBLISH;

    boolean dies() {
      return this != NOWHERE && this != COMMIT_FAILS;
    }

    boolean isCommitted() {
      return this == NOWHERE || this == DIES_AFTER_COMMIT || this == DIES_AFTER_PUBLISH;
    }
  }

  /// A batch and where it failed.
  record Taken<U>(List<Command<U, ?>> commands, Break at) {}

  /// Ends the writer's thread, like a kill of the process.
  static final class Died extends Error {
    private static final long serialVersionUID = 1L;
  }

  FailingTransactions(Transactions transactions, Batches<U> batches) {
    this.transactions = transactions;
    this.batches = batches;
  }

  /// Later batches do not fail.
  void plan(List<Break> breaks) {
    taken.clear();
    plan.clear();
    plan.addAll(breaks);
  }

  /// Since the last call of [#plan].
  List<Taken<U>> taken() {
    return List.copyOf(taken);
  }

  @Override
  public void load() throws SQLException {
    batches.load();
  }

  @Override
  public U begin() throws SQLException {
    Break planned = plan.poll();
    at = planned == null ? Break.NOWHERE : planned;
    commands = new ArrayList<>();
    return batches.begin();
  }

  /// A command that is among those of its batch.
  <R> Command<U, R> taking(Command<U, R> command) {
    return unit -> {
      commands.add(command);
      return command.decide(unit);
    };
  }

  @Override
  public void commit() throws SQLException {
    taken.add(new Taken<>(commands, at));
    if (at == Break.COMMIT_FAILS) {
      throw new SQLException("planned");
    }
    dieAt(Break.DIES_BEFORE_COMMIT);
    transactions.commit();
    dieAt(Break.DIES_AFTER_COMMIT);
  }

  @Override
  public void onCommitted(CommandTimings.Commit commit) {
    dieAt(Break.DIES_AFTER_PUBLISH);
  }

  private void dieAt(Break point) {
    if (at == point) {
      throw new Died();
    }
  }

  @Override
  public void rollback() {
    transactions.rollback();
  }

  @Override
  public boolean tryReconnect(Exception failure) throws SQLException {
    return transactions.tryReconnect(failure);
  }

  @Override
  public void tidy() throws SQLException {
    transactions.tidy();
  }

  @Override
  public void probe() throws SQLException {
    transactions.probe();
  }
}
