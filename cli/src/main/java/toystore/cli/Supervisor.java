package toystore.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Starts the parts of the store, keeps them running, and stops them in order.
///
/// One thread owns all state: the one that calls [#run]. Children's watchers and [#stop] only put
/// events into its queue.
///
/// What the launcher and a child owe each other:
///
/// ```
/// launcher                                  child
/// holds its stdin open                      ends at end of file; ignores Ctrl-C
/// asks /health/readiness every 50 ms        200 when it serves
/// SIGTERM, after 10 s SIGKILL               finishes what it has begun, ends
/// prints the line, stops all, exits 1       exit code 1 before the store was ready: refused to
///                                           start, one line on stderr
/// never starts it again                     exit code 74: a failed fsync, so what its disk holds
///                                           is unknown
/// starts it again at once                   any other end; pauses grow to 5 s while it ends before
///                                           it is ready
/// ```
final class Supervisor {
  private static final int STOPPED = 0;
  private static final int REFUSED = 1;
  private static final int DISK_FAILED = 74;
  private static final int MOST_EVENTS = 1_000;

  /// What the supervisor has to tell. Called by its thread only.
  interface Listener {
    /// A part was started, for the first time or again.
    default void started(ProcessSpec part, long pid) {}

    /// A part is ready for the first time; told in the order of the parts.
    default void ready(ProcessSpec part, long pid) {}

    /// All parts are ready; once.
    void storeReady();

    /// News for people.
    default void say(String line) {}

    /// Bad news for people.
    void warn(String line);
  }

  private sealed interface Event {
    record OfPart(SupervisedProcess part, ChildProcess.Event event) implements Event {}

    record StopAsked() implements Event {}
  }

  private final List<SupervisedProcess> parts;
  private final Function<ProcessSpec, ProcessBuilder> process;
  private final LauncherTimeouts patience;
  private final Listener listener;
  private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(MOST_EVENTS);
  private int announced;

  /// @param process how a part is started; the supervisor takes its stdin and stderr
  Supervisor(
      List<ProcessSpec> parts,
      Function<ProcessSpec, ProcessBuilder> process,
      LauncherTimeouts patience,
      Listener listener) {
    this.parts =
        parts.stream().map(part -> new SupervisedProcess(part, patience, listener)).toList();
    this.process = process;
    this.patience = patience;
    this.listener = listener;
  }

  /// Runs the store until it is asked to stop (0), cannot be started (1) or has nothing left to
  /// keep (74).
  int run() throws IOException, InterruptedException {
    try {
      return keep();
    } finally {
      stopAll();
    }
  }

  /// Asks for the end; [#run] returns when all parts are gone. Any thread.
  void stop() {
    put(new Event.StopAsked());
  }

  private int keep() throws IOException, InterruptedException {
    while (true) {
      for (var part : parts) {
        part.startIfDue(System.nanoTime(), process, event -> put(new Event.OfPart(part, event)));
      }
      switch (events.poll(untilDue(), TimeUnit.NANOSECONDS)) {
        case null -> {}
        case Event.StopAsked() -> {
          listener.say("stopping");
          return STOPPED;
        }
        case Event.OfPart(var part, ChildProcess.Event.Wrote(var line)) -> part.wrote(line);
        case Event.OfPart(var part, ChildProcess.Event.Ready()) -> {
          part.isReadyNow();
          announce();
        }
        case Event.OfPart(var part, ChildProcess.Event.Ended(var exitCode))
            when !isStoreReady() && (exitCode == REFUSED || exitCode == DISK_FAILED) -> {
          part.refused();
          return REFUSED;
        }
        case Event.OfPart(var part, ChildProcess.Event.Ended(var exitCode))
            when exitCode == DISK_FAILED ->
            part.isLostNow();
        case Event.OfPart(var part, ChildProcess.Event.Ended(var exitCode)) -> part.died(exitCode);
      }
      if (parts.stream().allMatch(SupervisedProcess::isLost)) {
        return DISK_FAILED;
      }
      var now = System.nanoTime();
      parts.forEach(part -> part.tellIfLate(now));
    }
  }

  /// Nanoseconds until there is something to do without an event.
  private long untilDue() {
    var now = System.nanoTime();
    var next = Long.MAX_VALUE;
    for (var part : parts) {
      next = Math.min(next, part.untilDue(now));
    }
    return Math.clamp(next, 0, Long.MAX_VALUE - 1) + 1;
  }

  /// Tells what is ready in the order of the parts, so that a start always reads the same.
  private void announce() {
    while (!isStoreReady() && parts.get(announced).isReady()) {
      parts.get(announced).tellReady();
      announced++;
      if (isStoreReady()) {
        listener.storeReady();
      }
    }
  }

  private boolean isStoreReady() {
    return announced == parts.size();
  }

  /// Stops what runs, the last part first: who calls ends before who is called.
  private void stopAll() throws InterruptedException {
    for (var part : parts.reversed()) {
      part.terminate();
      if (!hasEnded(part, patience.stop())) {
        part.kill();
        hasEnded(part, patience.stop());
      }
    }
  }

  private boolean hasEnded(SupervisedProcess awaited, Duration within) throws InterruptedException {
    var until = System.nanoTime() + within.toNanos();
    while (awaited.isRunning()) {
      switch (events.poll(Math.max(until - System.nanoTime(), 0), TimeUnit.NANOSECONDS)) {
        case null -> {
          return false;
        }
        case Event.StopAsked() -> {}
        case Event.OfPart(var part, ChildProcess.Event.Wrote(var line)) -> part.wrote(line);
        case Event.OfPart(_, ChildProcess.Event.Ready()) -> {}
        case Event.OfPart(var part, ChildProcess.Event.Ended(_)) -> part.forgetChild();
      }
    }
    return true;
  }

  private void put(Event event) {
    try {
      events.put(event);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}
