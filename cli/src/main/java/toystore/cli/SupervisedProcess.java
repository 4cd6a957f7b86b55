package toystore.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A part of the store and how its runs go: when it is to be started again, and what there is to
/// say about it. The supervisor's thread only.
final class SupervisedProcess {
  private static final int LINES_HELD = 100;

  private final ProcessSpec part;
  private final LauncherTimeouts patience;
  private final Supervisor.Listener listener;
  private final List<String> heldWords = new ArrayList<>();
  private @Nullable ChildProcess child;
  private boolean ready;
  private boolean everReady;
  private boolean lost;
  private boolean lateTold;
  private int earlyDeaths;
  private long startedAt;
  private long startAgainAt = System.nanoTime();

  SupervisedProcess(ProcessSpec part, LauncherTimeouts patience, Supervisor.Listener listener) {
    this.part = part;
    this.patience = patience;
    this.listener = listener;
  }

  boolean isReady() {
    return ready;
  }

  /// Whether it is never started again.
  boolean isLost() {
    return lost;
  }

  boolean isRunning() {
    return child != null;
  }

  void startIfDue(
      long now, Function<ProcessSpec, ProcessBuilder> process, Consumer<ChildProcess.Event> events)
      throws IOException {
    if (child == null && !lost && now - startAgainAt >= 0) {
      child = ChildProcess.start(part, process.apply(part), events);
      startedAt = now;
      lateTold = false;
      listener.started(part, child.pid());
    }
  }

  /// What it writes before it is ready may turn out to be its refusal, which is told as it is.
  void wrote(String line) {
    if (ready || heldWords.size() == LINES_HELD) {
      listener.warn(part.app() + ": " + line);
    } else {
      heldWords.add(line);
    }
  }

  void isReadyNow() {
    tellHeldWords();
    if (everReady && child != null) {
      listener.say("%s is ready again, pid %d".formatted(part.app(), child.pid()));
    }
    ready = true;
    everReady = true;
    earlyDeaths = 0;
  }

  void tellReady() {
    listener.ready(part, child == null ? -1 : child.pid());
  }

  /// It is gone, and nothing follows from that.
  void forgetChild() {
    child = null;
    ready = false;
  }

  /// It refused to start: its own words say why.
  void refused() {
    forgetChild();
    if (heldWords.isEmpty()) {
      listener.warn("%s failed to start; see %s".formatted(part.app(), logFile()));
    }
    heldWords.forEach(listener::warn);
    heldWords.clear();
  }

  /// Its disk failed: it stays down.
  void isLostNow() {
    tellHeldWords();
    forgetChild();
    lost = true;
    listener.warn(
        ("%s could not sync its file (exit code 74): the contents of the disk are unknown, so it is"
                + " not restarted; the other services continue")
            .formatted(part.app()));
  }

  /// It died: when it is started again depends on how often it died so early.
  void died(int exitCode) {
    tellHeldWords();
    var early = !ready;
    var pause = patience.pause(earlyDeaths);
    if (early) {
      earlyDeaths++;
    }
    forgetChild();
    startAgainAt = System.nanoTime() + pause.toNanos();
    listener.warn(
        "%s died%s (%s); restarting %s"
            .formatted(
                part.app(), early ? " before it was ready" : "", cause(exitCode), when(pause)));
  }

  /// A service may have reason to wait long, for one that is away or for millions of orders to
  /// enter: told once, nothing more.
  void tellIfLate(long now) {
    if (child != null && !ready && !lateTold && now - startedAt > patience.start().toNanos()) {
      lateTold = true;
      tellHeldWords();
      listener.warn(
          "%s is not ready after %d s; still waiting; see %s"
              .formatted(part.app(), patience.start().toSeconds(), logFile()));
    }
  }

  /// Nanoseconds until it is to be started, or told to be late.
  long untilDue(long now) {
    if (child == null) {
      return lost ? Long.MAX_VALUE : startAgainAt - now;
    }
    return ready || lateTold ? Long.MAX_VALUE : startedAt + patience.start().toNanos() - now;
  }

  void terminate() {
    if (child != null) {
      child.terminate();
    }
  }

  void kill() {
    listener.warn(
        "%s did not stop within %d s; killing it"
            .formatted(part.app(), patience.stop().toSeconds()));
    if (child != null) {
      child.kill();
    }
  }

  private void tellHeldWords() {
    heldWords.forEach(line -> listener.warn(part.app() + ": " + line));
    heldWords.clear();
  }

  private String logFile() {
    var key = "--logging.file.name=";
    return part.arguments().stream()
        .filter(argument -> argument.startsWith(key))
        .map(argument -> argument.substring(key.length()))
        .findFirst()
        .orElse("its log");
  }

  /// A shell's way of counting: 128 and the signal's number.
  private static String cause(int exitCode) {
    return exitCode > 128 ? "signal " + (exitCode - 128) : "exit code " + exitCode;
  }

  private static String when(Duration pause) {
    return pause.isZero() ? "now" : "in " + pause.toMillis() + " ms";
  }
}
