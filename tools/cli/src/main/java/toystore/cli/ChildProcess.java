package toystore.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A running process of the store. The launcher holds its stdin open and reads its stderr. Two
/// threads watch it and send events to the supervisor. Any thread.
final class ChildProcess {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
  private static final Duration STANDBY_POLL_INTERVAL = Duration.ofMillis(500);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration STDERR_TIMEOUT = Duration.ofSeconds(1);

  /// An event of a child. All lines that it wrote come before its end.
  sealed interface Event {
    /// Another process of its service works, and it would take over; sent at most once, before it
    /// is ready.
    record StoodBy() implements Event {}

    /// Its readiness check succeeded; sent at most once.
    record Ready() implements Event {}

    /// It is connected to all services that it calls, or was not after 10 s; sent once, after it
    /// was ready.
    record Connected() implements Event {}

    /// It wrote a line to stderr.
    record Wrote(String line) implements Event {}

    /// It has exited.
    record Ended(int exitCode) implements Event {}
  }

  private final ProcessSpec part;
  private final Process process;
  private final Consumer<Event> events;

  private ChildProcess(ProcessSpec part, Process process, Consumer<Event> events) {
    this.part = part;
    this.process = process;
    this.events = events;
  }

  /// Starts the process and watches it. The child exits at the end of its stdin, which the
  /// operating system closes when the launcher ends in any way.
  static ChildProcess start(ProcessSpec part, ProcessBuilder builder, Consumer<Event> events)
      throws IOException {
    var child =
        new ChildProcess(part, builder.redirectInput(ProcessBuilder.Redirect.PIPE).start(), events);
    var stderrReader = child.watcher("stderr of ", child::readStderr);
    child.watcher("exit of ", () -> child.awaitExit(stderrReader));
    return child;
  }

  long pid() {
    return process.pid();
  }

  /// Sends SIGTERM. Does not use `Process.destroy`, which would close the stderr pipe before its
  /// last lines are read.
  void terminate() {
    process.toHandle().destroy();
  }

  /// Sends SIGKILL.
  void kill() {
    process.toHandle().destroyForcibly();
  }

  private Thread watcher(String name, Runnable watch) {
    return Thread.ofPlatform().daemon().name(name + part.name()).start(watch);
  }

  private void readStderr() {
    try (var lines = process.errorReader()) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        events.accept(new Event.Wrote(line));
      }
    } catch (IOException ended) {
      // the pipe is closed; awaitExit reports how the process ended
    }
  }

  /// Polls until it is ready.
  ///
  /// @return false if the process exited before
  private boolean waitUntilReady() throws InterruptedException {
    var interval = POLL_INTERVAL;
    while (!process.waitFor(interval.toMillis(), TimeUnit.MILLISECONDS)) {
      switch (ReadinessClient.readiness(part.managementPort())) {
        case READY -> {
          return true;
        }
        case STANDBY -> {
          if (interval.equals(POLL_INTERVAL)) {
            events.accept(new Event.StoodBy());
          }
          interval = STANDBY_POLL_INTERVAL;
        }
        case NOT_READY -> {}
      }
    }
    return false;
  }

  /// Polls until the condition holds.
  ///
  /// @return false if the process exited before
  private boolean waitUntil(BooleanSupplier condition) throws InterruptedException {
    while (!process.waitFor(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
      if (condition.getAsBoolean()) {
        return true;
      }
    }
    return false;
  }

  private void awaitExit(Thread stderrReader) {
    try {
      if (waitUntilReady()) {
        events.accept(new Event.Ready());
        var end = System.nanoTime() + CONNECT_TIMEOUT.toNanos();
        if (waitUntil(
            () -> ReadinessClient.isConnected(part.managementPort()) || System.nanoTime() > end)) {
          events.accept(new Event.Connected());
        }
      }
      var exitCode = process.waitFor();
      stderrReader.join(STDERR_TIMEOUT);
      events.accept(new Event.Ended(exitCode));
    } catch (InterruptedException impossible) {
      throw new IllegalStateException("the watcher thread was interrupted", impossible);
    }
  }
}
