package toystore.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Starts the processes of the store, restarts those that die, and stops all in order.
///
/// The thread that calls [#run] owns all state. The watchers of the children and [#stop] only put
/// events into its queue.
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
final class Supervisor {
  private static final int STOPPED = 0;
  private static final int REFUSED = 1;
  private static final int DISK_FAILED = 74;
  private static final int MAX_EVENTS = 1_000;
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(5);

  /// Receives the supervisor's events. Called by its thread only.
  interface Listener {
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

    /// A warning for the user.
    void warn(String line);
  }

  private sealed interface Event {
    record OfPart(SupervisedProcess part, ChildProcess.Event event) implements Event {}

    record StopAsked() implements Event {}
  }

  private final List<SupervisedProcess> parts;
  private final List<SupervisedProcess> lateLast;
  private final Function<ProcessSpec, ProcessBuilder> process;
  private final LauncherTimeouts timeouts;
  private final Listener listener;
  private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(MAX_EVENTS);
  private int announced;
  private boolean storeReady;
  private long progressAt = System.nanoTime() + PROGRESS_INTERVAL.toNanos();

  /// @param process makes the command of a process; the supervisor uses its stdin and stderr
  Supervisor(
      List<ProcessSpec> parts,
      Function<ProcessSpec, ProcessBuilder> process,
      LauncherTimeouts timeouts,
      Listener listener) {
    this.parts =
        parts.stream().map(part -> new SupervisedProcess(part, timeouts, listener)).toList();
    this.lateLast =
        Stream.concat(
                this.parts.stream().filter(part -> !part.isLate()),
                this.parts.stream().filter(SupervisedProcess::isLate))
            .toList();
    this.process = process;
    this.timeouts = timeouts;
    this.listener = listener;
  }

  /// Runs the store.
  ///
  /// @return the exit code: 0 after [#stop]; 1 if a service refused to start; 74 if all services
  ///   have exited because of failed disks
  int run() throws IOException, InterruptedException {
    try {
      return supervise();
    } finally {
      stopAll();
    }
  }

  /// Requests a stop; [#run] returns when all processes have exited. Any thread.
  void stop() {
    enqueue(new Event.StopAsked());
  }

  private int supervise() throws IOException, InterruptedException {
    while (true) {
      for (var part : startable()) {
        part.startIfDue(
            System.nanoTime(), process, event -> enqueue(new Event.OfPart(part, event)));
      }
      switch (events.poll(nanosUntilDue(), TimeUnit.NANOSECONDS)) {
        case null -> {}
        case Event.StopAsked() -> {
          listener.say("stopping");
          return STOPPED;
        }
        case Event.OfPart(var part, ChildProcess.Event.Wrote(var line)) -> part.wrote(line);
        case Event.OfPart(var part, ChildProcess.Event.StoodBy()) -> {
          part.becameStandby();
          announce();
        }
        case Event.OfPart(var part, ChildProcess.Event.Ready()) -> {
          part.becameReady();
          announce();
        }
        case Event.OfPart(var part, ChildProcess.Event.Connected()) -> {
          part.becameConnected();
          announce();
        }
        case Event.OfPart(var part, ChildProcess.Event.Ended(var exitCode))
            when !storeReady && (exitCode == REFUSED || exitCode == DISK_FAILED) -> {
          part.refused();
          return REFUSED;
        }
        case Event.OfPart(var part, ChildProcess.Event.Ended(var exitCode))
            when exitCode == DISK_FAILED ->
            part.diskFailed();
        case Event.OfPart(var part, ChildProcess.Event.Ended(var exitCode)) -> part.died(exitCode);
      }
      if (parts.stream().allMatch(SupervisedProcess::isAbandoned)) {
        return DISK_FAILED;
      }
      var now = System.nanoTime();
      parts.forEach(part -> part.warnIfLate(now));
      if (!storeReady && now - progressAt >= 0) {
        progressAt = now + PROGRESS_INTERVAL.toNanos();
        listener.starting(
            parts.stream()
                .filter(part -> !isConnected(part))
                .map(part -> part.name() + (part.isStandby() ? " (a standby)" : ""))
                .toList());
      }
    }
  }

  /// The processes that may be started: the late ones only after the others have been announced,
  /// and a further process of a service only after the first, which therefore is the active one.
  private List<SupervisedProcess> startable() {
    return lateLast.stream()
        .filter(part -> !part.isLate() || announced >= early())
        .filter(part ->
            parts.stream()
                .takeWhile(it -> it != part)
                .allMatch(it -> it.wasUp() || !it.isLike(part)))
        .toList();
  }

  private int early() {
    return (int) lateLast.stream().filter(part -> !part.isLate()).count();
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
  private void announce() {
    while (announced < parts.size() && isUp(lateLast.get(announced))) {
      lateLast.get(announced).announceReady();
      announced++;
      if (announced == early() && announced < parts.size()) {
        listener.lateStarting();
      }
    }
    if (!storeReady && parts.stream().allMatch(this::isConnected)) {
      storeReady = true;
      listener.storeReady();
    }
  }

  /// Whether it is ready, or would take over from a process that is.
  private boolean isUp(SupervisedProcess part) {
    return part.isReady() || isStandbyOf(part, SupervisedProcess::isReady);
  }

  private boolean isConnected(SupervisedProcess part) {
    return part.isConnected() || isStandbyOf(part, SupervisedProcess::isConnected);
  }

  private boolean isStandbyOf(SupervisedProcess part, Predicate<SupervisedProcess> active) {
    return part.isStandby() && parts.stream().anyMatch(it -> it.isLike(part) && active.test(it));
  }

  /// Stops all processes, the last one first: callers stop before the services they call. Standbys
  /// stop before all others, so that none takes over.
  private void stopAll() throws InterruptedException {
    var order =
        Stream.concat(
            parts.stream().filter(part -> !part.isStandby()),
            parts.stream().filter(SupervisedProcess::isStandby));
    for (var part : order.toList().reversed()) {
      part.terminate();
      if (!awaitEnd(part, timeouts.stop())) {
        part.kill();
        awaitEnd(part, timeouts.stop());
      }
    }
  }

  private boolean awaitEnd(SupervisedProcess awaited, Duration within) throws InterruptedException {
    var until = System.nanoTime() + within.toNanos();
    while (awaited.isRunning()) {
      switch (events.poll(Math.max(until - System.nanoTime(), 0), TimeUnit.NANOSECONDS)) {
        case null -> {
          return false;
        }
        case Event.StopAsked() -> {}
        case Event.OfPart(var part, ChildProcess.Event.Wrote(var line)) -> part.wrote(line);
        case Event.OfPart(_, ChildProcess.Event.StoodBy()) -> {}
        case Event.OfPart(_, ChildProcess.Event.Ready()) -> {}
        case Event.OfPart(_, ChildProcess.Event.Connected()) -> {}
        case Event.OfPart(var part, ChildProcess.Event.Ended(_)) -> part.childEnded();
      }
    }
    return true;
  }

  private void enqueue(Event event) {
    try {
      events.put(event);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}
