package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import toystore.clients.Conditions;

@Timeout(20)
class SingleWriterTest {
  private static final int QUEUE = 4;
  private static final int BATCH = 3;

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final Semaphore commits = new Semaphore(1_000);
  private final CompletableFuture<Throwable> diskFailure = new CompletableFuture<>();
  private final List<Object> seen = new CopyOnWriteArrayList<>();
  private final RecordingTransactions transactions = new RecordingTransactions();
  private final SingleWriter<RecordingTransactions.Commands> writer =
      new SingleWriter<>(
          "test",
          transactions,
          transactions,
          QUEUE,
          BATCH,
          diskFailure::complete,
          new RecordingListener());

  @BeforeEach
  void start() throws SQLException {
    writer.start();
    events.clear();
  }

  @AfterEach
  void close() {
    commits.release(1_000);
    writer.close();
  }

  @Test
  void answerIsSentAfterCommitAndPublish() {
    CompletableFuture<String> answer = writer.submit(command("a")).toCompletableFuture();
    answer.thenAccept(it -> events.add("answer " + it)).join();

    assertThat(events)
        .containsExactly("decide a", "write [a]", "commit [a]", "publish [a]", "answer did a");
  }

  @Test
  void listenerGetsTimingsOfAllCommandsAndCallerOfItsOwn() throws InterruptedException {
    long before = System.nanoTime();
    holdCommits();
    CompletableFuture<String> first = submitAndAwaitCommit("a");
    var ownTimings = new CopyOnWriteArrayList<CommandTimings>();
    var answer = writer.submit(command("b"), ownTimings::add).toCompletableFuture();
    letCommitsGo();
    first.join();
    answer.join();

    assertThat(seen).hasSize(4);
    var commit = (CommandTimings.Commit) seen.get(2);
    assertThat(commit.number()).isEqualTo(2);
    assertThat(commit.size()).isEqualTo(1);
    assertThat(ownTimings).containsExactly((CommandTimings) seen.get(3));
    var timings = ownTimings.getFirst();
    assertThat(
            List.of(
                before,
                timings.submitted(),
                timings.taken(),
                timings.decided(),
                commit.began(),
                commit.syncing(),
                commit.ended(),
                System.nanoTime()))
        .isSorted();
    assertThat(commit.syncNanos()).isEqualTo(commit.ended() - commit.syncing()).isPositive();
    assertThat(timings.queueNanos() + timings.decideNanos() + commit.nanos())
        .isEqualTo(commit.ended() - timings.submitted());
  }

  @Test
  void listenerIsToldOfRefusalsAndRollbacks() {
    transactions.full = true;
    failure(writer.submit(command("a")));
    failure(writer.submit(command("b")));

    assertThat(seen).containsExactly("rolled back 1", WriterListener.QueueRefusal.DISK);
    assertThat(writer.refuses()).isTrue();
  }

  @Test
  void waitingCommandsAreCommittedInOneBatchUpToTheLimit() throws InterruptedException {
    holdCommits();
    CompletableFuture<String> first = submitAndAwaitCommit("a");
    List<CompletableFuture<String>> rest = submit("b", "c", "d", "e");
    letCommitsGo();
    rest.forEach(CompletableFuture::join);

    assertThat(first.join()).isEqualTo("did a");
    assertThat(events)
        .filteredOn(event -> event.startsWith("commit"))
        .containsExactly("commit [a]", "commit [b, c, d]", "commit [e]");
  }

  @Test
  void fullQueueRefusesImmediately() throws InterruptedException {
    holdCommits();
    submitAndAwaitCommit("a");
    submit("b", "c", "d", "e");

    assertThat(failure(writer.submit(command("f"))))
        .isInstanceOfSatisfying(
            NotExecutedException.class, refusal -> assertThat(refusal.overloaded()).isTrue());
    assertThat(seen).containsExactly(WriterListener.QueueRefusal.QUEUE_FULL);
    assertThat(writer.waiting()).isEqualTo(4).isEqualTo(writer.queueBound());
  }

  @Test
  void failedCommitPublishesNothingAndFailsEveryCaller() throws InterruptedException {
    holdCommits();
    submitAndAwaitCommit("a");
    transactions.failNext = new SQLException("constraint");
    transactions.failNextFrom = "b";
    List<CompletableFuture<String>> batch = submit("b", "c");
    letCommitsGo();

    assertThat(batch)
        .allSatisfy(answer -> assertThat(failure(answer)).hasMessage("test: constraint"));
    assertThat(writer.submit(command("d")).toCompletableFuture().join()).isEqualTo("did d");
    assertThat(events)
        .filteredOn(event -> event.startsWith("publish"))
        .containsExactly("publish [a]", "publish [d]");
  }

  @Test
  void batchWithAWrongAssumptionIsDecidedAgain() throws InterruptedException {
    holdCommits();
    submitAndAwaitCommit("a");
    events.clear();
    transactions.wrongAssumptions = 1;
    List<CompletableFuture<String>> batch = submit("b", "c");
    letCommitsGo();

    assertThat(batch).extracting(CompletableFuture::join).containsExactly("did b", "did c");
    assertThat(events)
        .containsExactly(
            "commit [a]",
            "publish [a]",
            "decide b",
            "decide c",
            "rollback [b, c]",
            "decide b",
            "decide c",
            "write [b, c]",
            "commit [b, c]",
            "publish [b, c]");
    assertThat(seen).doesNotContain("rolled back 2");
  }

  @Test
  void batchIsDecidedAgainOnceOnly() {
    transactions.wrongAssumptions = 2;

    assertThat(failure(writer.submit(command("a")))).isInstanceOf(DecideAgainException.class);
    assertThat(writer.submit(command("b")).toCompletableFuture().join()).isEqualTo("did b");
  }

  @Test
  void fullDiskRefusesWritesUntilProbeCommits() {
    transactions.full = true;
    assertThat(failure(writer.submit(command("a")))).isInstanceOf(NotExecutedException.class);
    assertThat(failure(writer.submit(command("b")))).isInstanceOf(NotExecutedException.class);
    assertThat(events).doesNotContain("decide b");

    long refused = System.nanoTime();
    transactions.full = false;
    assertThat(transactions.probed.join() - refused)
        .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(500));
    assertThat(untilAccepted("c")).isEqualTo("did c");
    assertThat(writer.refuses()).isFalse();
  }

  /// Waits for the fatal error that ends the writer and returns it.
  private Throwable diskFailure() {
    return diskFailure.orTimeout(10, TimeUnit.SECONDS).join();
  }

  @Test
  void failedSyncIsFatalAndNotRetried() {
    transactions.failNext = new SQLiteException("sync", SQLiteErrorCode.SQLITE_IOERR_FSYNC);
    writer.submit(command("a"));

    assertThat(diskFailure()).hasMessage("sync");
    assertThat(events).filteredOn(event -> event.startsWith("commit")).hasSize(1);
  }

  @Test
  void damagedFileIsFatal() {
    transactions.failNext = new SQLiteException("damaged", SQLiteErrorCode.SQLITE_CORRUPT);
    writer.submit(command("a"));

    assertThat(diskFailure()).hasMessage("damaged");
  }

  @Test
  void failedSyncBetweenBatchesIsFatal() {
    transactions.tidyFails.countDown();
    assertThat(diskFailure()).hasMessageContaining("tidying");
  }

  @Test
  void otherFailureBetweenBatchesDoesNotStopTheWriter() {
    transactions.failTidyingWith = SQLiteErrorCode.SQLITE_BUSY;
    transactions.tidyFails.countDown();
    transactions.tidied.join();

    assertThat(writer.submit(command("a")).toCompletableFuture().join()).isEqualTo("did a");
    assertThat(writer.submit(command("b")).toCompletableFuture().join()).isEqualTo("did b");
    assertThat(diskFailure).isNotDone();
  }

  @Test
  void failureToPublishEndsTheProcess() {
    CompletableFuture<String> answer =
        writer.submit(command("unpublishable")).toCompletableFuture();

    assertThat(diskFailure()).hasMessage("a bug");
    assertThat(answer).isNotDone();
  }

  @Test
  void bugInABatchIsReportedAndTheBatchRolledBack() {
    assertThat(failure(writer.submit(command("bug"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a bug");
    assertThat(events).endsWith("rollback [bug]");
    assertThat(writer.refuses()).isFalse();
  }

  @Test
  void closeCompletesWaitingCommandsAndRefusesLaterOnes() throws InterruptedException {
    holdCommits();
    submitAndAwaitCommit("a");
    List<CompletableFuture<String>> waiting = submit("b", "c");
    letCommitsGo();
    writer.close();

    assertThat(waiting).allSatisfy(answer -> assertThat(answer).isCompleted());
    assertThat(failure(writer.submit(command("d"))))
        .isInstanceOfSatisfying(
            NotExecutedException.class, refusal -> assertThat(refusal.overloaded()).isFalse())
        .hasMessage("test: service is stopping; the request was not processed");
    assertThat(seen).endsWith(WriterListener.QueueRefusal.STOPPING);
  }

  @Test
  void closeCompletesWhenThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    writer.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure(writer.submit(command("a"))))
        .hasMessage("test: service is stopping; the request was not processed");
  }

  @Test
  void exceptionInACallbackDoesNotReachTheWriter() {
    writer
        .submit(command("a"))
        .thenAccept(_ -> {
          throw new IllegalStateException("the caller's fault");
        });
    assertThat(writer.submit(command("b")).toCompletableFuture().join()).isEqualTo("did b");
  }

  private static Command<RecordingTransactions.Commands, String> command(String text) {
    return unit -> {
      unit.commands.add(text);
      unit.record("decide " + text);
      return "did " + text;
    };
  }

  private void holdCommits() {
    commits.drainPermits();
  }

  private void letCommitsGo() {
    commits.release(1_000);
  }

  private CompletableFuture<String> submitAndAwaitCommit(String command)
      throws InterruptedException {
    CompletableFuture<String> answer = writer.submit(command(command)).toCompletableFuture();
    transactions.committing.await();
    return answer;
  }

  private List<CompletableFuture<String>> submit(String... commands) {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (String command : commands) {
      answers.add(writer.submit(command(command)).toCompletableFuture());
    }
    return answers;
  }

  private String untilAccepted(String command) {
    return Conditions.patiently()
        .ignoreException(CompletionException.class)
        .until(() -> writer.submit(command(command)).toCompletableFuture().join(), _ -> true);
  }

  private static Throwable failure(CompletionStage<String> answer) {
    return answer.handle((_, failure) -> failure).toCompletableFuture().join();
  }

  @Test
  void queueIsBounded() {
    assertThatThrownBy(() ->
            new SingleWriter<>("test", transactions, transactions, 0, 1, diskFailure::complete))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private final class RecordingListener implements WriterListener {
    @Override
    public void onAnswered(CommandTimings timings) {
      seen.add(timings);
    }

    @Override
    public void onCommitted(CommandTimings.Commit commit) {
      seen.add(commit);
    }

    @Override
    public void onRefused(QueueRefusal reason) {
      seen.add(reason);
    }

    @Override
    public void rolledBack(int size) {
      seen.add("rolled back " + size);
    }
  }

  /// Only records the calls of its methods.
  private final class RecordingTransactions
      implements Transactions, Batches<RecordingTransactions.Commands> {
    final CountDownLatch committing = new CountDownLatch(1);
    final CompletableFuture<Void> tidied = new CompletableFuture<>();
    final CompletableFuture<Long> probed = new CompletableFuture<>();
    final CountDownLatch tidyFails = new CountDownLatch(1);
    volatile SQLiteErrorCode failTidyingWith = SQLiteErrorCode.SQLITE_IOERR_FSYNC;
    volatile SQLException failNext = new SQLException("none");
    volatile String failNextFrom = "a";
    volatile boolean full;
    volatile int wrongAssumptions;
    private final SQLException none = failNext;
    private List<String> commands = List.of();

    @Override
    public Commands begin() {
      var batch = new Commands();
      commands = batch.commands;
      return batch;
    }

    final class Commands implements UnitOfWork {
      final List<String> commands = new ArrayList<>();

      void record(String event) {
        events.add(event);
      }

      @Override
      public void write() {
        if (wrongAssumptions > 0) {
          wrongAssumptions--;
          throw new DecideAgainException("wrong", null);
        }
        events.add("write " + commands);
      }

      @Override
      public void publish() {
        if (commands.contains("unpublishable")) {
          throw new IllegalStateException("a bug");
        }
        events.add("publish " + commands);
      }
    }

    @Override
    public void commit() throws SQLException {
      committing.countDown();
      commits.acquireUninterruptibly();
      events.add("commit " + commands);
      throwIfFull();
      if (commands.contains("bug")) {
        throw new IllegalStateException("a bug");
      }
      if (failNext != none && commands.contains(failNextFrom)) {
        SQLException failure = failNext;
        failNext = none;
        throw failure;
      }
    }

    @Override
    public void rollback() {
      events.add("rollback " + commands);
    }

    @Override
    public boolean tryReconnect(Exception failure) {
      return false;
    }

    @Override
    public void tidy() throws SQLException {
      tidied.complete(null);
      if (tidyFails.getCount() == 0) {
        throw new SQLiteException("tidying", failTidyingWith);
      }
    }

    @Override
    public void probe() throws SQLException {
      throwIfFull();
      probed.complete(System.nanoTime());
    }

    private void throwIfFull() throws SQLException {
      if (full) {
        throw new SQLiteException("disk full", SQLiteErrorCode.SQLITE_FULL);
      }
    }
  }
}
