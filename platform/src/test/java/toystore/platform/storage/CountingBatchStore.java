package toystore.platform.storage;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/// A batch store that assigns consecutive numbers, in memory.
class CountingBatchStore implements BatchStore<AtomicLong> {
  /// The numbers below these were assigned.
  volatile long committed;

  volatile long published;

  @Override
  public Batch<AtomicLong> open() {
    var reached = new AtomicLong(published);
    return new Batch<>() {
      @Override
      public <R> R decide(Command<AtomicLong, R> command) {
        return command.decide(reached);
      }

      @Override
      public void write() {}

      @Override
      public CommitOutcome commit() throws SQLException {
        CommitOutcome outcome = CountingBatchStore.this.commit();
        committed = reached.get();
        return outcome;
      }

      @Override
      public void rollback() {}

      @Override
      public void publish() {
        published = reached.get();
      }
    };
  }

  /// Succeeds, unless a test overrides it.
  CommitOutcome commit() throws SQLException {
    return CommitOutcome.Done.DONE;
  }

  @Override
  public void tidy() {}

  @Override
  public void probe() {}
}
