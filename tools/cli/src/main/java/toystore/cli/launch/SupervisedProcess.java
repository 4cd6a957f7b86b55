package toystore.cli.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A process of the store across its restarts: when it is restarted, and what is reported about it.
/// The launcher holds its stdin open and reads its stderr. Two threads watch it and pass events to
/// the supervisor's thread, which alone calls the methods here.
final class SupervisedProcess {
  /// What it is now.
  enum State {
    /// It is never restarted.
    ABANDONED,
    DOWN,
    STARTING,
    /// It takes over when another process of its service ends.
    STANDBY,
    READY,
    /// It is ready, and connected to the services that it calls.
    CONNECTED
  }

  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
  private static final Duration STANDBY_POLL_INTERVAL = Duration.ofMillis(500);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration STDERR_TIMEOUT = Duration.ofSeconds(1);
  private static final int MAX_PENDING_LINES = 100;
  private static final int TAKEN_OVER = 75;

  /// Begin of the line of a process that waits for its database while it starts.
  private static final String WAITING = "waiting up to ";

  private final ProcessSpec part;
  private final Function<ProcessSpec, ProcessBuilder> process;
  private final LauncherTimeouts timeouts;
  private final Supervisor supervisor;
  private final Supervisor.Listener listener;
  private final List<String> pendingLines = new ArrayList<>();
  private @Nullable Process child;
  private @Nullable Thread watcher;
  private State state = State.DOWN;
  private boolean everUp;
  private int earlyExits;

  SupervisedProcess(
      ProcessSpec part,
      Function<ProcessSpec, ProcessBuilder> process,
      LauncherTimeouts timeouts,
      Supervisor supervisor,
      Supervisor.Listener listener) {
    this.part = part;
    this.process = process;
    this.timeouts = timeouts;
    this.supervisor = supervisor;
    this.listener = listener;
  }

  ProcessSpec part() {
    return part;
  }

  State state() {
    return state;
  }

  /// Whether it has ever been ready or a standby.
  boolean wasUp() {
    return everUp;
  }

  /// Whether both are processes of one service.
  boolean isLike(SupervisedProcess other) {
    return part.app().equals(other.part.app());
  }

  boolean wasStarted() {
    return watcher != null;
  }

  /// Starts the process and watches it. The child exits at the end of its stdin, which the
  /// operating system closes when the launcher ends in any way.
  void start() {
    if (supervisor.isStopping()) {
      return;
    }
    try {
      Process started = process.apply(part).redirectInput(ProcessBuilder.Redirect.PIPE).start();
      child = started;
      state = State.STARTING;
      listener.onStarted(part, started);
      supervisor.after(timeouts.start(), () -> warnIfLate(started));
      Thread stderr = watcher("stderr of ", () -> readStderr(started));
      watcher = watcher("exit of ", () -> watch(started, stderr));
    } catch (IOException e) {
      listener.warn("cannot start %s: %s", part.name(), e);
      supervisor.end(Supervisor.REFUSED);
    }
  }

  private Thread watcher(String name, Runnable watch) {
    return Thread.ofPlatform().daemon().name(name + part.name()).start(watch);
  }

  private void readStderr(Process running) {
    try (BufferedReader lines = running.errorReader()) {
      lines.lines().forEach(line -> supervisor.execute(() -> wrote(line)));
    } catch (IOException | UncheckedIOException ended) {
      // the pipe is closed; the other thread reports how the process ended
    }
  }

  /// Polls until it is ready, then until it is connected to the services that it calls, at most 10
  /// s; waits until it has exited. All lines that it wrote come before its end.
  private void watch(Process running, Thread stderr) {
    try {
      try (var client = new ReadinessClient(part)) {
        awaitConnected(running, client);
      }
      int exitCode = running.waitFor();
      stderr.join(STDERR_TIMEOUT);
      supervisor.execute(() -> onExit(exitCode));
    } catch (InterruptedException impossible) {
      throw new IllegalStateException("the watcher thread was interrupted", impossible);
    }
  }

  private void awaitConnected(Process running, ReadinessClient client) throws InterruptedException {
    if (!awaitReady(running, client)) {
      return;
    }
    supervisor.execute(
        () -> became(State.READY, state == State.STANDBY ? "has taken over" : "is ready again"));
    long end = System.nanoTime() + CONNECT_TIMEOUT.toNanos();
    while (!running.waitFor(POLL_INTERVAL)) {
      if (client.isConnected() || System.nanoTime() > end) {
        supervisor.execute(() -> became(State.CONNECTED, ""));
        return;
      }
    }
  }

  /// @return false if the process exited before
  private boolean awaitReady(Process running, ReadinessClient client) throws InterruptedException {
    Duration interval = POLL_INTERVAL;
    while (!running.waitFor(interval)) {
      switch (client.state().readiness()) {
        case READY -> {
          return true;
        }
        case STANDBY -> {
          if (interval.equals(POLL_INTERVAL)) {
            supervisor.execute(() -> became(State.STANDBY, "is a standby now"));
          }
          interval = STANDBY_POLL_INTERVAL;
        }
        case NOT_READY -> {}
      }
    }
    return false;
  }

  /// Lines written before it is ready are held back: if it refuses to start, they are its error
  /// message and are printed without a prefix.
  private void wrote(String line) {
    if (line.startsWith(WAITING)) {
      supervisor.sayOnce(line);
    } else if (state != State.STARTING || pendingLines.size() == MAX_PENDING_LINES) {
      listener.warn(part.name() + ": " + line);
    } else {
      pendingLines.add(line);
    }
  }

  private void became(State next, String how) {
    if (supervisor.isStopping()) {
      return;
    }
    flushPendingLines();
    if (everUp && child != null && !how.isEmpty()) {
      listener.say("%s %s, pid %d", part.name(), how, child.pid());
    }
    state = next;
    everUp = true;
    earlyExits = 0;
    supervisor.announce();
  }

  void announceReady() {
    listener.ready(part, child == null ? -1 : child.pid(), state == State.STANDBY);
  }

  private void onExit(int exitCode) {
    boolean early = state == State.STARTING;
    child = null;
    state = State.DOWN;
    if (supervisor.isStopping()) {
      return;
    }
    if (!supervisor.isStoreReady()
        && (exitCode == Supervisor.REFUSED || exitCode == Supervisor.DISK_FAILED)) {
      reportRefusal();
      return;
    }
    flushPendingLines();
    if (exitCode == Supervisor.DISK_FAILED) {
      reportDiskFailure();
    } else {
      onDeath(exitCode, early);
    }
  }

  /// It refused to start: prints its own error message.
  private void reportRefusal() {
    if (pendingLines.isEmpty()) {
      listener.warn("%s failed to start; see %s", part.name(), logFile());
    }
    pendingLines.forEach(listener::warn);
    supervisor.end(Supervisor.REFUSED);
  }

  private void reportDiskFailure() {
    state = State.ABANDONED;
    listener.warn(
        "%s stopped with exit code 74: an fsync failed or its database is damaged. It is not"
            + " restarted; the other services continue. Check the disk; see docs/reference/failures.md",
        part.name());
    supervisor.endIfAllAreAbandoned();
  }

  /// The pause before its restart depends on how often it has died before it was ready.
  private void onDeath(int exitCode, boolean early) {
    Duration pause = timeouts.pause(earlyExits);
    if (early) {
      earlyExits++;
    }
    listener.warn(
        "%s died%s (%s); restarting %s",
        part.name(),
        early ? " before it was ready" : "",
        cause(exitCode),
        pause.isZero() ? "now" : "in " + pause.toMillis() + " ms");
    supervisor.after(pause, this::start);
  }

  /// Prints one warning about a slow start; a service may wait for a peer or copy millions of
  /// orders.
  private void warnIfLate(Process started) {
    if (child == started && state == State.STARTING && !supervisor.isStopping()) {
      flushPendingLines();
      listener.warn(
          "%s is not ready after %d s; still waiting; see %s",
          part.name(), timeouts.start().toSeconds(), logFile());
    }
  }

  /// Sends SIGTERM, after the timeout SIGKILL, and waits until the process has exited. Does not use
  /// `Process.destroy`, which would close the stderr pipe before its last lines are read.
  void stop() {
    if (child == null || watcher == null) {
      return;
    }
    try {
      child.toHandle().destroy();
      if (!watcher.join(timeouts.stop())) {
        listener.warn(
            "%s did not stop within %d s; killing it", part.name(), timeouts.stop().toSeconds());
        child.toHandle().destroyForcibly();
        watcher.join(timeouts.stop());
      }
    } catch (InterruptedException impossible) {
      throw new IllegalStateException("the supervisor's thread was interrupted", impossible);
    }
  }

  private void flushPendingLines() {
    pendingLines.forEach(line -> listener.warn(part.name() + ": " + line));
    pendingLines.clear();
  }

  private String logFile() {
    var key = "--logging.file.name=";
    return part.arguments().stream()
        .filter(argument -> argument.startsWith(key))
        .map(argument -> argument.substring(key.length()))
        .findFirst()
        .orElse("its log");
  }

  /// As in a shell, an exit code above 128 is 128 plus the number of a signal.
  private static String cause(int exitCode) {
    if (exitCode == TAKEN_OVER) {
      return "exit code 75: another process uses its database, or it cannot be reached";
    }
    return exitCode > 128 ? "signal " + (exitCode - 128) : "exit code " + exitCode;
  }
}
