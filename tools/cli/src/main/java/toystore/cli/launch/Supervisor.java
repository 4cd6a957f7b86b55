package toystore.cli.launch;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import toystore.cli.launch.SupervisedProcess.State;

/// Starts the processes of the store, restarts those that die, and stops all in order.
///
/// One thread owns all state. The watchers of the children and [#stop] only hand events to it.
///
/// The protocol between the launcher and a child:
///
/// ```
/// launcher                                  child
/// starts it when those not late are ready   is late: the store sells without it
/// holds its stdin open                      exits at end of file; ignores Ctrl-C
/// cut NAME, restore NAME: the console       loses all calls to a service, ends that
/// asks every 50 ms whether it is ready       a standby is not, while another process of its service
/// (StatusService; of the frontend,          works
/// /health/readiness)
/// then the frontend for /health, for at     200 when it is connected to the services that it calls
/// most 10 s
/// SIGTERM, after 10 s SIGKILL               finishes running requests, exits
/// prints the line, stops all, exits 1       exit code 1 before the store was ready: refused to
///                                           start, with one line on stderr
/// never restarts it                         exit code 74: a failed fsync, so the contents of its
///                                           disk are unknown
/// restarts it as a standby                  exit code 75: another process has taken over
/// restarts it immediately                   any other exit; pauses grow to 5 s while it exits
///                                           before it is ready
/// ```
public final class Supervisor {
  static final int REFUSED = 1;
  static final int DISK_FAILED = 74;

  private static final int STOPPED = 0;
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(5);

  /// Receives the supervisor's events. Called by its thread only.
  public interface Listener {
    /// A process was started, for the first time or again.
    default void onStarted(ProcessSpec part, Process process) {}

    /// A process is ready, or a standby of one that is, for the first time; called in the order of
    /// the processes, the late ones last.
    default void ready(ProcessSpec part, long pid, boolean standby) {}

    /// All processes that are not late are ready; called once, if there are late ones.
    default void lateStarting() {}

    /// All processes are ready and connected to each other; called once.
    void storeReady();

    /// Called every 5 s while the store is not ready, with the names of the processes that are not.
    default void starting(List<String> names) {}

    /// A message for the user.
    default void say(String line) {}

    default void say(String format, Object... values) {
      say(String.format(Locale.ROOT, format, values));
    }

    /// A warning for the user.
    void warn(String line);

    default void warn(String format, Object... values) {
      warn(String.format(Locale.ROOT, format, values));
    }
  }

  private final List<SupervisedProcess> parts;
  private final List<SupervisedProcess> lateLast;
  private final long early;
  private final Listener listener;
  private final ExecutorService thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("supervisor").factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // of events after the end
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final Set<String> said = new HashSet<>();
  private int announced;
  private boolean storeReady;

  /// @param process makes the command of a process; the supervisor uses its stdin and stderr
  public Supervisor(
      List<ProcessSpec> parts,
      Function<ProcessSpec, ProcessBuilder> process,
      LauncherTimeouts timeouts,
      Listener listener) {
    this.parts =
        parts.stream()
            .map(part -> new SupervisedProcess(part, process, timeouts, this, listener))
            .toList();
    this.lateLast =
        this.parts.stream()
            .sorted(Comparator.comparing((SupervisedProcess it) -> it.part().late()))
            .toList();
    this.early = parts.stream().filter(it -> !it.late()).count();
    this.listener = listener;
  }

  /// Runs the store.
  ///
  /// @return the exit code: 0 after [#stop]; 1 if a service refused to start; 74 if all services
  ///   have exited because of failed disks
  public int run() {
    execute(this::startPermitted);
    after(PROGRESS_INTERVAL, this::reportProgress);
    try {
      return exitCode.join();
    } finally {
      end(STOPPED);
      execute(this::stopAll);
      thread.close(); // waits for all events
    }
  }

  /// Requests a stop; [#run] returns when all processes have exited. Any thread.
  public void stop() {
    execute(() -> {
      if (!isStopping()) {
        listener.say("stopping");
        end(STOPPED);
      }
    });
  }

  /// Runs an event in the supervisor's thread. Any thread.
  void execute(Runnable event) {
    thread.execute(() -> {
      try {
        event.run();
      } catch (RuntimeException | Error bug) {
        exitCode.completeExceptionally(bug);
      }
    });
  }

  /// As [#execute], after a delay.
  void after(Duration delay, Runnable event) {
    CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
        .execute(() -> execute(event));
  }

  /// Passes on what several processes say in the same words.
  void sayOnce(String line) {
    if (said.add(line)) {
      listener.say(line);
    }
  }

  /// Ends the store: from now on processes only end.
  void end(int code) {
    exitCode.complete(code);
  }

  boolean isStopping() {
    return exitCode.isDone();
  }

  boolean isStoreReady() {
    return storeReady;
  }

  /// Starts those that may start now: the late ones only after the others have been announced, and
  /// a further process of a service only after the first, which therefore is the active one.
  private void startPermitted() {
    for (SupervisedProcess part : lateLast) {
      if (!part.wasStarted()
          && (!part.part().late() || announced >= early)
          && parts.stream()
              .takeWhile(it -> it != part)
              .allMatch(it -> it.wasUp() || !it.isLike(part))) {
        part.start();
      }
    }
  }

  private void reportProgress() {
    if (!storeReady) {
      listener.starting(
          parts.stream()
              .filter(part -> !hasReached(part, State.CONNECTED))
              .map(it -> it.part().name() + (it.state() == State.STANDBY ? " (a standby)" : ""))
              .toList());
      after(PROGRESS_INTERVAL, this::reportProgress);
    }
  }

  /// Announces ready processes in a fixed order, so that the output of every start is the same.
  void announce() {
    while (announced < parts.size() && hasReached(lateLast.get(announced), State.READY)) {
      lateLast.get(announced).announceReady();
      announced++;
      if (announced == early && announced < parts.size()) {
        listener.lateStarting();
      }
    }
    if (!storeReady && parts.stream().allMatch(it -> hasReached(it, State.CONNECTED))) {
      storeReady = true;
      listener.storeReady();
    }
    startPermitted();
  }

  /// Whether it is in this state or a better one, or would take over from a process that is.
  private boolean hasReached(SupervisedProcess part, State state) {
    return part.state().compareTo(state) >= 0
        || (part.state() == State.STANDBY
            && parts.stream().anyMatch(it -> it.isLike(part) && it.state().compareTo(state) >= 0));
  }

  /// Ends the store when no process is left that would be restarted.
  void endIfAllAreAbandoned() {
    if (parts.stream().allMatch(it -> it.state() == State.ABANDONED)) {
      end(DISK_FAILED);
    }
  }

  /// Stops all processes, the last one first: callers stop before the services they call. Standbys
  /// stop before all others, so that none takes over.
  private void stopAll() {
    Stream<SupervisedProcess> order =
        parts.stream()
            .sorted(Comparator.comparing((SupervisedProcess it) -> it.state() == State.STANDBY));
    order.toList().reversed().forEach(SupervisedProcess::stop);
  }
}
