package toystore.platform.storage;

import static java.util.Objects.requireNonNull;

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

/// The only thread that changes a service's state.
///
/// ```
/// callers ── submit ──▶ queue ──▶ decide each ─▶ commit once ─▶ publish ─▶ answer each
///                      (bounded)  └───────────── one batch ─────────────┘
/// ```
///
/// Every answer, also a refusal, reflects committed state: it is sent after the commit of its
/// batch. While a commit is in doubt, the thread waits. If a commit fails, its whole batch is
/// rolled back: nothing is published, and every caller receives [NotExecutedException]. While the
/// disk is full, or a file of the database was moved, commands are refused immediately until a
/// probe commit succeeds. If an fsync fails, the content of the disk is unknown, so the process
/// ends and never retries (Rebello et al., "Can Applications Recover from fsync Failures?", USENIX
/// ATC 2020). The process also ends if the database is damaged or another process has taken it
/// over.
///
/// Answers are completed on the writer's thread, so their callbacks must not block.
///
/// Any thread may submit.
public final class SingleWriter<U extends UnitOfWork> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SingleWriter.class);
  private static final Duration IDLE = Duration.ofMillis(100);
  private static final int MAX_ATTEMPTS = 2;
  private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String name;
  private final Transactions transactions;
  private final Batches<U> batches;
  private final Consumer<Throwable> onFatalError;
  private final WriterListener listener;
  private final BlockingQueue<Entry<U, ?>> queue;
  private final int queueBound;
  private final int batchBound;
  private final long idleNanos;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable NotExecutedException rejection;
  private String logged = ""; // the last failure; it is not repeated until it changes
  private long probedAt;
  private long commits;

  private static final class Entry<U, R> {
    final Command<U, R> command;
    final Consumer<CommandTimings> onTimings;
    final CompletableFuture<R> answer = new CompletableFuture<>();
    final long submitted = System.nanoTime();
    @Nullable R decision;
    long taken;
    long decided;

    Entry(Command<U, R> command, Consumer<CommandTimings> onTimings) {
      this.command = command;
      this.onTimings = onTimings;
    }

    void decide(U unit) {
      decision = command.decide(unit);
    }

    void complete() {
      answer.complete(requireNonNull(decision));
    }

    CommandTimings timings(CommandTimings.Commit commit) {
      return new CommandTimings(submitted, taken, decided, commit);
    }
  }

  /// @param name of the writer, for its thread and its messages
  /// @param queueBound maximum number of waiting commands; further commands are refused immediately
  /// @param batchBound maximum number of commands in one commit
  /// @param onFatalError ends the process if an fsync failed, the database is damaged or taken over
  ///   by another process, or the writer cannot continue; must not return
  public SingleWriter(
      String name,
      Transactions transactions,
      Batches<U> batches,
      int queueBound,
      int batchBound,
      Consumer<Throwable> onFatalError,
      WriterListener listener) {
    this(name, transactions, batches, queueBound, batchBound, onFatalError, listener, IDLE);
  }

  /// @param idle maximum wait for a command before the writer does housekeeping and checks whether
  ///   it is closed
  SingleWriter(
      String name,
      Transactions transactions,
      Batches<U> batches,
      int queueBound,
      int batchBound,
      Consumer<Throwable> onFatalError,
      WriterListener listener,
      Duration idle) {
    this.name = name;
    this.transactions = transactions;
    this.batches = batches;
    this.onFatalError = onFatalError;
    this.listener = listener;
    this.queue = new ArrayBlockingQueue<>(queueBound);
    this.queueBound = queueBound;
    this.batchBound = batchBound;
    this.idleNanos = idle.toNanos();
    this.thread =
        Thread.ofPlatform()
            .name(name + "-writer")
            .uncaughtExceptionHandler((_, failure) -> onFatalError.accept(failure))
            .unstarted(this::run);
  }

  public SingleWriter(
      String name,
      Transactions transactions,
      Batches<U> batches,
      int queueBound,
      int batchBound,
      Consumer<Throwable> onFatalError) {
    this(name, transactions, batches, queueBound, batchBound, onFatalError, WriterListener.NONE);
  }

  /// Reads the committed state, and begins to carry out commands. Those that were submitted before
  /// have waited.
  public SingleWriter<U> start() throws SQLException {
    batches.load();
    transactions.rollback();
    thread.start();
    return this;
  }

  /// Submits a command. The answer fails with [NotExecutedException] if the command was certainly
  /// not carried out.
  public <R> CompletionStage<R> submit(Command<U, R> command) {
    return submit(command, _ -> {});
  }

  /// @param onTimings receives the timings just before a successful answer. Called on the writer's
  ///   thread; must neither block nor throw
  public <R> CompletionStage<R> submit(Command<U, R> command, Consumer<CommandTimings> onTimings) {
    NotExecutedException refusal = rejection;
    if (refusal != null) {
      listener.onRefused(WriterListener.QueueRefusal.DISK);
      return CompletableFuture.failedFuture(refusal);
    }
    var entry = new Entry<>(command, onTimings);
    if (closed || !queue.offer(entry)) {
      listener.onRefused(
          closed ? WriterListener.QueueRefusal.STOPPING : WriterListener.QueueRefusal.QUEUE_FULL);
      return CompletableFuture.failedFuture(
          closed ? stopping() : NotExecutedException.queueFull(name, queueBound));
    }
    if (closed && !thread.isAlive() && queue.remove(entry)) { // queued after the writer ended
      entry.answer.completeExceptionally(stopping());
    }
    return entry.answer;
  }

  public int waiting() {
    return queue.size();
  }

  public int queueBound() {
    return queueBound;
  }

  /// Whether commands are refused because the disk is not writable.
  public boolean refuses() {
    return rejection != null;
  }

  /// Refuses new commands, carries out the waiting ones, and ends the thread.
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
    for (Entry<U, ?> late = queue.poll(); late != null; late = queue.poll()) {
      late.answer.completeExceptionally(stopping());
    }
  }

  private void run() {
    List<Entry<U, ?>> batch = new ArrayList<>(batchBound);
    while (true) {
      boolean ending = closed;
      Entry<U, ?> first = next();
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

  private @Nullable Entry<U, ?> next() {
    try {
      return closed ? queue.poll() : queue.poll(idleNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("the writer thread was interrupted", e);
    }
  }

  private void write(List<Entry<U, ?>> entries) {
    for (int attempt = 1; ; attempt++) {
      U unit;
      CommandTimings.Commit commit;
      try {
        unit = batches.begin();
        commit = commit(entries, unit);
      } catch (SQLException | RuntimeException e) {
        Exception failure = e instanceof RowReadException read ? read.failure() : e;
        if (!isRepeatable(failure) || attempt == MAX_ATTEMPTS) {
          fail(entries, failure);
          return;
        }
        log.warn(
            "{}: a batch of {} is decided again: {}", name, entries.size(), failure.getMessage());
        continue;
      }
      logged = "";
      unit.publish();
      listener.onCommitted(commit);
      for (Entry<U, ?> entry : entries) {
        CommandTimings timings = entry.timings(commit);
        listener.onAnswered(timings);
        entry.onTimings.accept(timings);
        entry.complete();
      }
      return;
    }
  }

  private CommandTimings.Commit commit(List<Entry<U, ?>> entries, U unit) throws SQLException {
    long decided = System.nanoTime();
    for (Entry<U, ?> entry : entries) {
      entry.taken = decided;
      entry.decide(unit);
      decided = System.nanoTime();
      entry.decided = decided;
    }
    unit.write();
    long syncing = System.nanoTime();
    transactions.commit();
    return new CommandTimings.Commit(
        ++commits, entries.size(), decided, syncing, System.nanoTime());
  }

  private boolean isRepeatable(Exception failure) {
    endIfFatal(failure);
    transactions.rollback();
    try {
      return failure instanceof DecideAgainException || transactions.tryReconnect(failure);
    } catch (SQLException e) {
      endIfFatal(e);
      log.warn("{}: {}", name, e.getMessage());
      return false;
    }
  }

  private void endIfFatal(Exception failure) {
    if (StorageError.of(failure).isFatal()) {
      onFatalError.accept(failure);
    }
  }

  private void fail(List<Entry<U, ?>> entries, Exception e) {
    StorageError error = StorageError.of(e);
    listener.rolledBack(entries.size());
    if (isNew(e)) {
      log.error("{}: a batch of {} commands was not committed", name, entries.size(), e);
    }
    NotExecutedException refusal = NotExecutedException.because(name + ": " + e.getMessage(), e);
    if (error.isTemporary()) {
      rejection = refusal;
      probedAt = System.nanoTime();
    }
    Throwable failure = error == StorageError.NONE && e instanceof RuntimeException ? e : refusal;
    entries.forEach(entry -> entry.answer.completeExceptionally(failure));
  }

  private void tidy() {
    try {
      if (rejection == null) {
        transactions.tidy();
      } else if (System.nanoTime() - probedAt > PROBE_NANOS) {
        probedAt = System.nanoTime();
        transactions.probe();
        rejection = null;
        log.info("{}: the database is writable again", name);
      }
    } catch (SQLException e) {
      endIfFatal(e);
      if (isNew(e)) {
        log.warn(
            "{}: cleanup or test write between two batches failed, trying again: {}",
            name,
            e.getMessage());
      }
    }
  }

  private boolean isNew(Exception failure) {
    String before = logged;
    logged = String.valueOf(failure.getMessage());
    return !logged.equals(before);
  }

  private NotExecutedException stopping() {
    return NotExecutedException.because(
        name + ": service is stopping; the request was not processed");
  }
}
