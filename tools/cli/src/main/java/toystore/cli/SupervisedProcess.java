package toystore.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A process of the store across its restarts: when it is restarted, and what is reported about it.
/// The supervisor's thread only.
final class SupervisedProcess {
  private static final int MAX_PENDING_LINES = 100;
  private static final int TAKEN_OVER = 75;

  private final ProcessSpec part;
  private final LauncherTimeouts timeouts;
  private final Supervisor.Listener listener;
  private final List<String> pendingLines = new ArrayList<>();
  private @Nullable ChildProcess child;
  private boolean ready;
  private boolean standby;
  private boolean connected;
  private boolean everUp;
  private boolean abandoned;
  private boolean lateWarned;
  private int earlyExits;
  private long startedAt;
  private long restartAt = System.nanoTime();

  SupervisedProcess(ProcessSpec part, LauncherTimeouts timeouts, Supervisor.Listener listener) {
    this.part = part;
    this.timeouts = timeouts;
    this.listener = listener;
  }

  boolean isReady() {
    return ready;
  }

  /// Whether it takes over when another process of its service ends.
  boolean isStandby() {
    return standby;
  }

  /// Whether it has ever been ready or a standby.
  boolean wasUp() {
    return everUp;
  }

  /// Whether both are processes of one service.
  boolean isLike(SupervisedProcess other) {
    return part.app().equals(other.part.app());
  }

  /// Whether it is ready, and connected to the services that it calls.
  boolean isConnected() {
    return connected;
  }

  boolean isLate() {
    return part.late();
  }

  /// Whether it is never restarted.
  boolean isAbandoned() {
    return abandoned;
  }

  boolean isRunning() {
    return child != null;
  }

  void startIfDue(
      long now, Function<ProcessSpec, ProcessBuilder> process, Consumer<ChildProcess.Event> events)
      throws IOException {
    if (child == null && !abandoned && now - restartAt >= 0) {
      child = ChildProcess.start(part, process.apply(part), events);
      startedAt = now;
      lateWarned = false;
      listener.started(part, child.pid());
    }
  }

  /// Lines written before it is ready are held back: if it refuses to start, they are its error
  /// message and are printed without a prefix.
  void wrote(String line) {
    if (!isStarting() || pendingLines.size() == MAX_PENDING_LINES) {
      listener.warn(part.name() + ": " + line);
    } else {
      pendingLines.add(line);
    }
  }

  void becameReady() {
    becameUp(standby ? "has taken over" : "is ready again");
    ready = true;
    standby = false;
  }

  void becameStandby() {
    becameUp("is a standby now");
    standby = true;
  }

  private void becameUp(String how) {
    flushPendingLines();
    if (everUp && child != null) {
      listener.say(String.format(Locale.ROOT, "%s %s, pid %d", part.name(), how, child.pid()));
    }
    everUp = true;
    earlyExits = 0;
  }

  void becameConnected() {
    connected = true;
  }

  void announceReady() {
    listener.ready(part, child == null ? -1 : child.pid(), standby);
  }

  /// Records that the process has exited.
  void childEnded() {
    child = null;
    ready = false;
    standby = false;
    connected = false;
  }

  /// It refused to start: prints its own error message.
  void refused() {
    childEnded();
    if (pendingLines.isEmpty()) {
      listener.warn(
          String.format(Locale.ROOT, "%s failed to start; see %s", part.name(), logFile()));
    }
    pendingLines.forEach(listener::warn);
    pendingLines.clear();
  }

  /// Its disk failed: it is not restarted.
  void diskFailed() {
    flushPendingLines();
    childEnded();
    abandoned = true;
    listener.warn(
        String.format(
            Locale.ROOT,
            "%s stopped with exit code 74: an fsync failed or its database is damaged. It is not"
                + " restarted; the other services continue. Check the disk; see docs/operations.md",
            part.name()));
  }

  /// It died: the pause before its restart depends on how often it has died before it was ready.
  void died(int exitCode) {
    flushPendingLines();
    var early = !ready && !standby;
    var pause = timeouts.pause(earlyExits);
    if (early) {
      earlyExits++;
    }
    childEnded();
    restartAt = System.nanoTime() + pause.toNanos();
    listener.warn(
        String.format(
            Locale.ROOT,
            "%s died%s (%s); restarting %s",
            part.name(),
            early ? " before it was ready" : "",
            cause(exitCode),
            when(pause)));
  }

  /// Prints one warning about a slow start and keeps waiting: a service may wait for a peer or copy
  /// millions of orders.
  void warnIfLate(long now) {
    if (isStarting() && !lateWarned && now - startedAt > timeouts.start().toNanos()) {
      lateWarned = true;
      flushPendingLines();
      listener.warn(
          String.format(
              Locale.ROOT,
              "%s is not ready after %d s; still waiting; see %s",
              part.name(),
              timeouts.start().toSeconds(),
              logFile()));
    }
  }

  private boolean isStarting() {
    return child != null && !ready && !standby;
  }

  String name() {
    return part.name();
  }

  /// Nanoseconds until it must be started or its slow start must be reported.
  long nanosUntilDue(long now) {
    if (child == null) {
      return abandoned ? Long.MAX_VALUE : restartAt - now;
    }
    return !isStarting() || lateWarned
        ? Long.MAX_VALUE
        : startedAt + timeouts.start().toNanos() - now;
  }

  void terminate() {
    if (child != null) {
      child.terminate();
    }
  }

  void kill() {
    listener.warn(
        String.format(
            Locale.ROOT,
            "%s did not stop within %d s; killing it",
            part.name(),
            timeouts.stop().toSeconds()));
    if (child != null) {
      child.kill();
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
      return "exit code 75: another process uses its database, or a commit had no answer";
    }
    return exitCode > 128 ? "signal " + (exitCode - 128) : "exit code " + exitCode;
  }

  private static String when(Duration pause) {
    return pause.isZero() ? "now" : "in " + pause.toMillis() + " ms";
  }
}
