package toystore.writer;

import java.sql.SQLException;
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
/// ATC 2020).
///
/// Answers are completed on the writer's thread: what follows them must not block.
///
/// Any thread may submit.
public final class SingleWriter<C, A> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SingleWriter.class);
  private static final long IDLE_MILLIS = 100;
  private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String name;
  private final Ledger<C, A> ledger;
  private final Consumer<Throwable> diskFailed;
  private final BlockingQueue<Entry<C, A>> queue;
  private final int queueBound;
  private final int batchBound;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable NotDoneException refusing;
  private long probedAt;

  private record Entry<C, A>(C command, CompletableFuture<A> answer) {}

  /// @param name what it writes, for its thread and its messages
  /// @param queueBound how many commands may wait; one more is refused at once
  /// @param batchBound how many commands are committed together at most
  /// @param diskFailed ends the process, when a sync failed or the writer can't go on; must not
  ///   return
  public SingleWriter(
      String name,
      Ledger<C, A> ledger,
      int queueBound,
      int batchBound,
      Consumer<Throwable> diskFailed) {
    this.name = name;
    this.ledger = ledger;
    this.diskFailed = diskFailed;
    this.queue = new ArrayBlockingQueue<>(queueBound);
    this.queueBound = queueBound;
    this.batchBound = batchBound;
    this.thread =
        Thread.ofPlatform()
            .name(name + "-writer")
            .uncaughtExceptionHandler((_, failure) -> diskFailed.accept(failure))
            .start(this::run);
  }

  /// Asks for a command to be carried out. The answer fails with [NotDoneException] where it surely
  /// was not.
  public CompletionStage<A> submit(C command) {
    NotDoneException refusal = refusing;
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    var entry = new Entry<>(command, new CompletableFuture<A>());
    if (closed || !queue.offer(entry)) {
      return CompletableFuture.failedFuture(
          closed ? stopping() : NotDoneException.queueFull(name, queueBound));
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
      return closed ? queue.poll() : queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the writer", e);
    }
  }

  private void write(List<Entry<C, A>> entries) {
    Ledger.Batch<C, A> batch = ledger.open();
    List<A> answers = new ArrayList<>(entries.size());
    try {
      for (Entry<C, A> entry : entries) {
        answers.add(batch.decide(entry.command));
      }
      batch.commit();
    } catch (SQLException | RuntimeException e) {
      drop(batch, entries, e);
      return;
    }
    batch.publish();
    for (int i = 0; i < answers.size(); i++) {
      entries.get(i).answer.complete(answers.get(i));
    }
  }

  private void drop(Ledger.Batch<C, A> batch, List<Entry<C, A>> entries, Exception e) {
    DiskError error = DiskError.of(e);
    if (error == DiskError.SYNC_FAILED) {
      diskFailed.accept(e);
    }
    batch.rollback();
    log.error("{}: a batch of {} was not committed", name, entries.size(), e);
    NotDoneException refusal = NotDoneException.because(name + ": " + e.getMessage(), e);
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
        log.info("{}: the disk takes writes again", name);
      }
    } catch (SQLException e) {
      if (DiskError.of(e) == DiskError.SYNC_FAILED) {
        diskFailed.accept(e);
      }
      log.warn("{}: {}", name, e.getMessage());
    }
  }

  private NotDoneException stopping() {
    return NotDoneException.because(name + ": stopping");
  }
}
