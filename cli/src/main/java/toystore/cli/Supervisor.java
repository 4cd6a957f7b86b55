package toystore.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
  /// What a part leaves with when a sync of its file failed.
  private static final int DISK_FAILED = 74;

  private static final int REFUSED = 1;
  private static final int LINES_HELD = 100;

  /// Starts a part's process.
  interface Starter {
    Child start(Part part, Consumer<Child.Event> events) throws IOException;
  }

  /// What the supervisor has to tell. Called by its thread only.
  interface Listener {
    /// A part was started, for the first time or again.
    void started(Part part, long pid);

    /// A part is ready for the first time; told in the order of the parts.
    void ready(Part part, long pid);

    /// All parts are ready; once.
    void storeReady();

    /// News for people.
    void say(String line);

    /// Bad news for people.
    void warn(String line);
  }

  private sealed interface Event {
    record OfChild(Child.Event event) implements Event {}

    record StopAsked() implements Event {}
  }

  /// A part and how its runs went so far.
  private static final class Keeping {
    final Part part;
    final List<String> heldWords = new ArrayList<>();
    @Nullable Child child;
    boolean ready;
    boolean everReady;
    boolean lost;
    boolean lateTold;
    int earlyDeaths;
    long startedAt;
    long startAgainAt;

    Keeping(Part part) {
      this.part = part;
    }

    boolean isDue(long now) {
      return child == null && !lost && now - startAgainAt >= 0;
    }
  }

  private final List<Keeping> parts;
  private final Starter starter;
  private final Patience patience;
  private final Listener listener;
  private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(1_000);
  private int announced;

  Supervisor(List<Part> parts, Starter starter, Patience patience, Listener listener) {
    this.parts = parts.stream().map(Keeping::new).toList();
    this.starter = starter;
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
    var begin = System.nanoTime();
    parts.forEach(keeping -> keeping.startAgainAt = begin);
    while (true) {
      startWhatIsDue();
      var event = events.poll(untilNext(begin), TimeUnit.NANOSECONDS);
      switch (event) {
        case null -> {}
        case Event.StopAsked _ -> {
          listener.say("stopping");
          return 0;
        }
        case Event.OfChild(var ofChild) -> {
          if (handle(ofChild) == Verdict.REFUSED) {
            return 1;
          }
        }
      }
      if (parts.stream().allMatch(keeping -> keeping.lost)) {
        return DISK_FAILED;
      }
      if (!storeReady() && since(begin).compareTo(patience.start()) > 0) {
        parts.stream().filter(keeping -> !keeping.ready).forEach(this::warnOfLate);
        return 1;
      }
      parts.stream().filter(this::isLate).forEach(this::warnOfLate);
    }
  }

  private enum Verdict {
    GO_ON,
    REFUSED
  }

  private Verdict handle(Child.Event event) {
    return switch (event) {
      case Child.Event.Wrote(var child, var line) -> {
        wrote(keepingOf(child), line);
        yield Verdict.GO_ON;
      }
      case Child.Event.Ready(var child) -> {
        ready(keepingOf(child), child);
        yield Verdict.GO_ON;
      }
      case Child.Event.Ended(var child, var exitCode) -> ended(keepingOf(child), exitCode);
    };
  }

  private void startWhatIsDue() throws IOException {
    var now = System.nanoTime();
    for (var keeping : parts) {
      if (keeping.isDue(now)) {
        var child = starter.start(keeping.part, event -> put(new Event.OfChild(event)));
        keeping.child = child;
        keeping.startedAt = now;
        keeping.lateTold = false;
        listener.started(keeping.part, child.pid());
      }
    }
  }

  /// What a part writes before it is ready may turn out to be its refusal, which is told as it is.
  private void wrote(Keeping keeping, String line) {
    if (keeping.ready || keeping.heldWords.size() == LINES_HELD) {
      listener.warn(keeping.part.app() + ": " + line);
    } else {
      keeping.heldWords.add(line);
    }
  }

  private void ready(Keeping keeping, Child child) {
    releaseWords(keeping);
    if (keeping.everReady) {
      listener.say("%s is ready again, pid %d".formatted(keeping.part.app(), child.pid()));
    }
    keeping.ready = true;
    keeping.everReady = true;
    keeping.earlyDeaths = 0;
    announce();
  }

  /// Tells what is ready in the order of the parts, so that a start always reads the same.
  private void announce() {
    while (announced < parts.size()) {
      var next = parts.get(announced);
      if (!next.ready || next.child == null) {
        return;
      }
      listener.ready(next.part, next.child.pid());
      announced++;
      if (announced == parts.size()) {
        listener.storeReady();
      }
    }
  }

  private boolean storeReady() {
    return announced == parts.size();
  }

  private Verdict ended(Keeping keeping, int exitCode) {
    var name = keeping.part.app();
    var early = !keeping.ready;
    keeping.child = null;
    keeping.ready = false;
    if (!storeReady() && (exitCode == REFUSED || exitCode == DISK_FAILED)) {
      tellRefusal(keeping);
      return Verdict.REFUSED;
    }
    releaseWords(keeping);
    if (exitCode == DISK_FAILED) {
      keeping.lost = true;
      listener.warn(
          "%s could not sync its file (exit code 74): what the disk holds is unknown, so it is not"
                  .formatted(name)
              + " started again; the other services go on");
      return Verdict.GO_ON;
    }
    var pause = patience.pause(keeping.earlyDeaths);
    if (early) {
      keeping.earlyDeaths++;
    }
    keeping.startAgainAt = System.nanoTime() + pause.toNanos();
    listener.warn(
        "%s died%s (%s): starting it again %s"
            .formatted(name, early ? " before it was ready" : "", cause(exitCode), when(pause)));
    return Verdict.GO_ON;
  }

  private void tellRefusal(Keeping keeping) {
    if (keeping.heldWords.isEmpty()) {
      listener.warn(
          "%s did not start; see %s".formatted(keeping.part.app(), logFile(keeping.part)));
    }
    keeping.heldWords.forEach(listener::warn);
    keeping.heldWords.clear();
  }

  private void releaseWords(Keeping keeping) {
    keeping.heldWords.forEach(line -> listener.warn(keeping.part.app() + ": " + line));
    keeping.heldWords.clear();
  }

  /// Only told: a service may have reason to wait long, for one that is away.
  private boolean isLate(Keeping keeping) {
    return storeReady()
        && keeping.child != null
        && !keeping.ready
        && !keeping.lateTold
        && since(keeping.startedAt).compareTo(patience.start()) > 0;
  }

  private void warnOfLate(Keeping keeping) {
    keeping.lateTold = true;
    releaseWords(keeping);
    listener.warn(
        "%s is not ready after %d s; see %s"
            .formatted(keeping.part.app(), patience.start().toSeconds(), logFile(keeping.part)));
  }

  /// Nanoseconds until something is due without an event.
  private long untilNext(long begin) {
    var now = System.nanoTime();
    var next = Long.MAX_VALUE;
    if (!storeReady()) {
      next = begin + patience.start().toNanos() - now;
    }
    for (var keeping : parts) {
      if (keeping.child == null && !keeping.lost) {
        next = Math.min(next, keeping.startAgainAt - now);
      } else if (keeping.child != null && !keeping.ready && !keeping.lateTold) {
        next = Math.min(next, keeping.startedAt + patience.start().toNanos() - now);
      }
    }
    return Math.max(next, 0) + 1;
  }

  /// Stops what runs, the last part first: who calls ends before who is called.
  private void stopAll() throws InterruptedException {
    for (var keeping : parts.reversed()) {
      var child = keeping.child;
      if (child != null) {
        child.terminate();
        if (!hasEnded(keeping, patience.stop())) {
          listener.warn(
              "%s did not end within %d s: killed"
                  .formatted(keeping.part.app(), patience.stop().toSeconds()));
          child.kill();
          hasEnded(keeping, patience.stop());
        }
      }
    }
  }

  private boolean hasEnded(Keeping awaited, Duration within) throws InterruptedException {
    var begin = System.nanoTime();
    while (awaited.child != null) {
      var left = within.toNanos() - (System.nanoTime() - begin);
      if (events.poll(Math.max(left, 0), TimeUnit.NANOSECONDS)
          instanceof Event.OfChild(var event)) {
        switch (event) {
          case Child.Event.Wrote(var child, var line) ->
              listener.warn(child.part().app() + ": " + line);
          case Child.Event.Ended(var child, _) -> keepingOf(child).child = null;
          case Child.Event.Ready _ -> {}
        }
      } else if (left <= 0) {
        return false;
      }
    }
    return true;
  }

  private Keeping keepingOf(Child child) {
    return parts.stream()
        .filter(keeping -> keeping.part.equals(child.part()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("an event of a stranger"));
  }

  private static String logFile(Part part) {
    var key = "--logging.file.name=";
    return part.arguments().stream()
        .filter(argument -> argument.startsWith(key))
        .map(argument -> argument.substring(key.length()))
        .findFirst()
        .orElse("its log");
  }

  private static Duration since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /// A shell's way of counting: 128 and the signal's number.
  private static String cause(int exitCode) {
    return exitCode > 128 ? "signal " + (exitCode - 128) : "exit code " + exitCode;
  }

  private static String when(Duration pause) {
    return pause.isZero() ? "at once" : "in " + pause.toMillis() + " ms";
  }

  private void put(Event event) {
    try {
      events.put(event);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }
}
