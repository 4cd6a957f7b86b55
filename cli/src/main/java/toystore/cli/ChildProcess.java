package toystore.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One run of a part: a process whose stdin we hold open and whose stderr we read. Two threads
/// watch it and tell the supervisor what happens; its methods may be called by any thread.
final class ChildProcess {
  private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /// What happens to a child. Everything it wrote comes before its end.
  sealed interface Event {
    /// It answers that it is ready; at most once.
    record Ready() implements Event {}

    /// It wrote a line to stderr.
    record Wrote(String line) implements Event {}

    /// It is gone.
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

  /// Starts the process and watches it. The JVM closes our end of its stdin when we end, however we
  /// end: the child ends then.
  static ChildProcess start(ProcessSpec part, ProcessBuilder builder, Consumer<Event> events)
      throws IOException {
    var child =
        new ChildProcess(part, builder.redirectInput(ProcessBuilder.Redirect.PIPE).start(), events);
    var words = child.watcher("words of ", child::readWords);
    child.watcher("life of ", () -> child.watchLife(words));
    return child;
  }

  long pid() {
    return process.pid();
  }

  /// Asks it to end (SIGTERM). Not by `Process.destroy`, which would close the pipe that carries
  /// its last words.
  void terminate() {
    process.toHandle().destroy();
  }

  /// Ends it (SIGKILL).
  void kill() {
    process.toHandle().destroyForcibly();
  }

  private Thread watcher(String name, Runnable watch) {
    return Thread.ofPlatform().daemon().name(name + part.app()).start(watch);
  }

  private void readWords() {
    try (var lines = process.errorReader()) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        events.accept(new Event.Wrote(line));
      }
    } catch (IOException ended) {
      // a pipe that breaks has no more to say; watchLife tells how the process ended
    }
  }

  private void watchLife(Thread words) {
    try {
      var ready = false;
      while (!ready && !process.waitFor(BETWEEN_QUESTIONS.toMillis(), TimeUnit.MILLISECONDS)) {
        ready = Health.isReady(part.managementPort());
        if (ready) {
          events.accept(new Event.Ready());
        }
      }
      var exitCode = process.waitFor();
      words.join(LAST_WORDS);
      events.accept(new Event.Ended(exitCode));
    } catch (InterruptedException impossible) {
      throw new IllegalStateException("nobody interrupts a watcher", impossible);
    }
  }
}
