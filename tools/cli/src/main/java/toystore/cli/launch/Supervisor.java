package toystore.cli.launch;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import toystore.cli.launch.SupervisedProcess.State;

/// Starts the processes of the store, restarts those that die, and stops all in order.
///
/// The thread that calls [#run] owns all state. The watchers of the children and [#stop] only put
/// events into its queue, which it runs.
///
/// The protocol between the launcher and a child:
///
/// ```
/// launcher                                  child
/// starts it when those not late are ready   is late: the store sells without it
/// holds its stdin open                      exits at end of file; ignores Ctrl-C
/// requests /health/readiness every 50 ms    200 when it is ready; 503 with the reason standby while
///                                           another process of its service works
/// then /health, for at most 10 s            200 when it is connected to the services that it calls
/// SIGTERM, after 10 s SIGKILL               finishes running requests, exits
/// prints the line, stops all, exits 1       exit code 1 before the store was ready: refused to
///                                           start, with one line on stderr
/// never restarts it                         exit code 74: a failed fsync, so the contents of its
///                                           disk are unknown
/// restarts it as a standby                  exit code 75: another process has taken over
/// restarts it immediately                   any other exit; pauses grow to 5 s while it exits
///                                           before it is ready
/// ```
public final class Supervisor implements Executor {
  static final int REFUSED = 1;
  static final int DISK_FAILED = 74;

  private static final int STOPPED = 0;
  private static final int MAX_EVENTS = 1_000;
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(5);

  /// Receives the supervisor's events. Called by its thread only.
  public interface Listener {
    /// A process was started, for the first time or again.
    default void started(ProcessSpec part, long pid) {}

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
  private final Function<ProcessSpec, ProcessBuilder> process;
  private final LauncherTimeouts timeouts;
  private final Listener listener;
  private final BlockingQueue<Runnable> events = new ArrayBlockingQueue<>(MAX_EVENTS);
  private int announced;
  private boolean storeReady;
  private @Nullable Integer exitCode;
  private long progressAt = System.nanoTime() + PROGRESS_INTERVAL.toNanos();

  /// @param process makes the command of a process; the supervisor uses its stdin and stderr
  public Supervisor(
      List<ProcessSpec> parts,
      Function<ProcessSpec, ProcessBuilder> process,
      LauncherTimeouts timeouts,
      Listener listener) {
    this.parts =
        parts.stream().map(part -> new SupervisedProcess(part, timeouts, this, listener)).toList();
    this.lateLast =
        this.parts.stream()
            .sorted(Comparator.comparing((SupervisedProcess it) -> it.part().late()))
            .toList();
    this.process = process;
    this.timeouts = timeouts;
    this.listener = listener;
  }

  /// Runs the store.
  ///
  /// @return the exit code: 0 after [#stop]; 1 if a service refused to start; 74 if all services
  ///   have exited because of failed disks
  public int run() throws IOException, InterruptedException {
    try {
      while (exitCode == null) {
        superviseUntilNextEvent();
      }
      return exitCode;
    } finally {
      exitCode = STOPPED;
      stopAll();
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
  @Override
  public void execute(Runnable event) {
    try {
      events.put(event);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  /// Ends the store: from now on processes only end.
  void end(int code) {
    exitCode = code;
  }

  boolean isStopping() {
    return exitCode != null;
  }

  boolean isStoreReady() {
    return storeReady;
  }

  private void superviseUntilNextEvent() throws IOException, InterruptedException {
    for (var part : startable()) {
      part.startIfDue(System.nanoTime(), process);
    }
    var event = events.poll(nanosUntilDue(), TimeUnit.NANOSECONDS);
    if (event != null) {
      event.run();
    }
    if (parts.stream().allMatch(it -> it.state() == State.ABANDONED)) {
      end(DISK_FAILED);
    }
    if (isStopping()) {
      return;
    }
    var now = System.nanoTime();
    parts.forEach(part -> part.warnIfLate(now));
    if (!storeReady && now - progressAt >= 0) {
      progressAt = now + PROGRESS_INTERVAL.toNanos();
      listener.starting(
          parts.stream()
              .filter(part -> !hasReached(part, State.CONNECTED))
              .map(it -> it.part().name() + (it.state() == State.STANDBY ? " (a standby)" : ""))
              .toList());
    }
  }

  /// The processes that may be started: the late ones only after the others have been announced,
  /// and a further process of a service only after the first, which therefore is the active one.
  private List<SupervisedProcess> startable() {
    return lateLast.stream()
        .filter(it -> !it.part().late() || announced >= early())
        .filter(part ->
            parts.stream()
                .takeWhile(it -> it != part)
                .allMatch(it -> it.wasUp() || !it.isLike(part)))
        .toList();
  }

  private int early() {
    return (int) lateLast.stream().filter(it -> !it.part().late()).count();
  }

  /// Nanoseconds until the next timed action.
  private long nanosUntilDue() {
    var now = System.nanoTime();
    var next = storeReady ? Long.MAX_VALUE : progressAt - now;
    for (var part : startable()) {
      next = Math.min(next, part.nanosUntilDue(now));
    }
    return Math.clamp(next, 0, Long.MAX_VALUE - 1) + 1;
  }

  /// Announces ready processes in a fixed order, so that the output of every start is the same.
  void announce() {
    while (announced < parts.size() && hasReached(lateLast.get(announced), State.READY)) {
      lateLast.get(announced).announceReady();
      announced++;
      if (announced == early() && announced < parts.size()) {
        listener.lateStarting();
      }
    }
    if (!storeReady && parts.stream().allMatch(it -> hasReached(it, State.CONNECTED))) {
      storeReady = true;
      listener.storeReady();
    }
  }

  /// Whether it is in this state or a better one, or would take over from a process that is.
  private boolean hasReached(SupervisedProcess part, State state) {
    return part.state().compareTo(state) >= 0
        || (part.state() == State.STANDBY
            && parts.stream().anyMatch(it -> it.isLike(part) && it.state().compareTo(state) >= 0));
  }

  /// Stops all processes, the last one first: callers stop before the services they call. Standbys
  /// stop before all others, so that none takes over.
  private void stopAll() throws InterruptedException {
    var order =
        parts.stream()
            .sorted(Comparator.comparing((SupervisedProcess it) -> it.state() == State.STANDBY));
    for (var part : order.toList().reversed()) {
      part.terminate();
      if (!awaitEnd(part)) {
        part.kill();
        awaitEnd(part);
      }
    }
  }

  private boolean awaitEnd(SupervisedProcess part) throws InterruptedException {
    var until = System.nanoTime() + timeouts.stop().toNanos();
    while (part.isRunning()) {
      var event = events.poll(Math.max(until - System.nanoTime(), 0), TimeUnit.NANOSECONDS);
      if (event == null) {
        return false;
      }
      event.run();
    }
    return true;
  }
}
