package toystore.platform.storage;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one thread that changes a service's state.
///
/// ```
/// callers ── submit ──▶ queue ──▶ decide each ─▶ commit once ─▶ publish ─▶ answer each
///                      (bounded)  └───────────── one batch ─────────────┘
/// ```
///
/// Every answer, refusals too, comes from committed state: it is given after the commit of its
/// batch. A commit that fails drops its batch whole: nothing is published and every caller is told
/// that nothing was done. While the disk is full commands are refused at once, until a probe commit
/// succeeds. An error of the sync itself leaves unknown what the disk holds, so it ends the process
/// and is never retried (Rebello et al., "Can Applications Recover from fsync Failures?", USENIX
/// ATC 2020). So does a database that SQLite finds damaged.
///
/// Answers are completed on the writer's thread: what follows them must not block.
///
/// Any thread may submit.
public final class SingleWriter<C, A> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SingleWriter.class);
  private static final Duration IDLE = Duration.ofMillis(100);
  private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String name;
  private final BatchStore<C, A> ledger;
  private final Consumer<Throwable> diskFailed;
  private final WriterListener watch;
  private final BlockingQueue<Entry<C, A>> queue;
  private final int queueBound;
  private final int batchBound;
  private final long idleNanos;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable NotExecutedException refusing;
  private long probedAt;
  private long batches;

  /// A command on its way. Its times are the writer's to note.
  private static final class Entry<C, A> {
    final C command;
    final Consumer<CommandTimings> told;
    final CompletableFuture<A> answer = new CompletableFuture<>();
    final long submitted = System.nanoTime();
    long taken;
    long decided;

    Entry(C command, Consumer<CommandTimings> told) {
      this.command = command;
      this.told = told;
    }

    CommandTimings steps(CommandTimings.Commit commit) {
      return new CommandTimings(submitted, taken, decided, commit);
    }
  }

  /// @param name what it writes, for its thread and its messages
  /// @param queueBound how many commands may wait; one more is refused at once
  /// @param batchBound how many commands are committed together at most
  /// @param diskFailed ends the process, when a sync failed, the file is damaged or the writer
  ///   can't go on; must not return
  /// @param watch sees what it does
  public SingleWriter(
      String name,
      BatchStore<C, A> ledger,
      int queueBound,
      int batchBound,
      Consumer<Throwable> diskFailed,
      WriterListener watch) {
    this(name, ledger, queueBound, batchBound, diskFailed, watch, IDLE);
  }

  /// @param idle how long it waits for a command before it tidies, or sees that it is closed
  SingleWriter(
      String name,
      BatchStore<C, A> ledger,
      int queueBound,
      int batchBound,
      Consumer<Throwable> diskFailed,
      WriterListener watch,
      Duration idle) {
    this.name = name;
    this.ledger = ledger;
    this.diskFailed = diskFailed;
    this.watch = watch;
    this.queue = new ArrayBlockingQueue<>(queueBound);
    this.queueBound = queueBound;
    this.batchBound = batchBound;
    this.idleNanos = idle.toNanos();
    this.thread =
        Thread.ofPlatform()
            .name(name + "-writer")
            .uncaughtExceptionHandler((_, failure) -> diskFailed.accept(failure))
            .start(this::run);
  }

  /// One that nobody watches.
  public SingleWriter(
      String name,
      BatchStore<C, A> ledger,
      int queueBound,
      int batchBound,
      Consumer<Throwable> diskFailed) {
    this(name, ledger, queueBound, batchBound, diskFailed, WriterListener.NONE);
  }

  /// Asks for a command to be carried out. The answer fails with [NotExecutedException] where it
  /// surely was not.
  public CompletionStage<A> submit(C command) {
    return submit(command, _ -> {});
  }

  /// As [#submit(Object)].
  ///
  /// @param told what steps it took, just before it is answered; not where it fails. Called by the
  ///   writer's thread: must neither block nor throw
  public CompletionStage<A> submit(C command, Consumer<CommandTimings> told) {
    NotExecutedException refusal = refusing;
    if (refusal != null) {
      watch.refused(WriterListener.Refusal.DISK);
      return CompletableFuture.failedFuture(refusal);
    }
    var entry = new Entry<C, A>(command, told);
    if (closed || !queue.offer(entry)) {
      watch.refused(closed ? WriterListener.Refusal.STOPPING : WriterListener.Refusal.QUEUE_FULL);
      return CompletableFuture.failedFuture(
          closed ? stopping() : NotExecutedException.queueFull(name, queueBound));
    }
    if (closed && !thread.isAlive() && queue.remove(entry)) { // it came too late to be seen
      entry.answer.completeExceptionally(stopping());
    }
    return entry.answer;
  }

  /// How many commands wait.
  public int waiting() {
    return queue.size();
  }

  /// How many may wait.
  public int queueBound() {
    return queueBound;
  }

  /// Whether commands are refused because nothing can be written.
  public boolean refuses() {
    return refusing != null;
  }

  /// Takes no more commands, carries out those that wait, and ends.
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    for (Entry<C, A> late = queue.poll(); late != null; late = queue.poll()) {
      late.answer.completeExceptionally(stopping());
    }
  }

  private void run() {
    List<Entry<C, A>> batch = new ArrayList<>(batchBound);
    while (true) {
      boolean ending = closed;
      Entry<C, A> first = next();
      if (first != null) {
        batch.add(first);
        queue.drainTo(batch, batchBound - 1);
        write(batch);
        batch.clear();
      } else if (ending) {
        return;
      }
      tidy();
    }
  }

  private @Nullable Entry<C, A> next() {
    try {
      return closed ? queue.poll() : queue.poll(idleNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("the writer thread was interrupted", e);
    }
  }

  private void write(List<Entry<C, A>> entries) {
    BatchStore.Batch<C, A> batch = ledger.open();
    List<A> answers = new ArrayList<>(entries.size());
    CommandTimings.Commit commit;
    try {
      long decided = System.nanoTime();
      for (Entry<C, A> entry : entries) {
        entry.taken = decided;
        answers.add(batch.decide(entry.command));
        decided = System.nanoTime();
        entry.decided = decided;
      }
      batch.write();
      long syncing = System.nanoTime();
      batch.commit();
      commit =
          new CommandTimings.Commit(++batches, entries.size(), decided, syncing, System.nanoTime());
    } catch (SQLException | RuntimeException e) {
      drop(batch, entries, e);
      return;
    }
    batch.publish();
    watch.committed(commit);
    for (int i = 0; i < answers.size(); i++) {
      Entry<C, A> entry = entries.get(i);
      CommandTimings steps = entry.steps(commit);
      watch.answered(steps);
      entry.told.accept(steps);
      entry.answer.complete(answers.get(i));
    }
  }

  private void drop(BatchStore.Batch<C, A> batch, List<Entry<C, A>> entries, Exception e) {
    DiskError error = DiskError.of(e);
    if (error.isFatal()) {
      diskFailed.accept(e);
    }
    batch.rollback();
    watch.dropped(entries.size());
    log.error("{}: a batch of {} commands was not committed", name, entries.size(), e);
    NotExecutedException refusal = NotExecutedException.because(name + ": " + e.getMessage(), e);
    if (error == DiskError.CANNOT_WRITE) {
      refusing = refusal;
      probedAt = System.nanoTime();
    }
    Throwable told = error == DiskError.NONE && e instanceof RuntimeException ? e : refusal;
    entries.forEach(entry -> entry.answer.completeExceptionally(told));
  }

  private void tidy() {
    try {
      if (refusing == null) {
        ledger.tidy();
      } else if (System.nanoTime() - probedAt > PROBE_NANOS) {
        probedAt = System.nanoTime();
        ledger.probe();
        refusing = null;
        log.info("{}: the disk is writable again", name);
      }
    } catch (SQLException e) {
      if (DiskError.of(e).isFatal()) {
        diskFailed.accept(e);
      }
      log.warn("{}: {}", name, e.getMessage());
    }
  }

  private NotExecutedException stopping() {
    return NotExecutedException.because(
        name + ": service is stopping; the request was not processed");
  }
}
