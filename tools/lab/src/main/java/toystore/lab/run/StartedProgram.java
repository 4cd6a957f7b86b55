package toystore.lab.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A program that the lab has started. All that it prints is read, so that it never waits. One
/// thread.
public final class StartedProgram implements AutoCloseable {
  /// The heap of the frontend.
  static final String HEAP = "-Xmx192m";

  private static final int KEPT_LINES = 20;
  private static final long STOP_SECONDS = 60;

  private final String name;
  private final Process process;
  private final BufferedReader output;
  private final Deque<String> last = new ArrayDeque<>(); // guarded by itself

  /// Starts a program.
  ///
  /// @param name for messages
  /// @param folder its working directory
  /// @param environment additional variables
  public StartedProgram(
      String name, Path folder, Map<String, String> environment, List<String> command)
      throws IOException {
    this.name = name;
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().putAll(environment);
    process = builder.start();
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  /// The command of a program that may use the first cores only.
  ///
  /// @param cores 0: all
  static List<String> onCores(int cores, List<String> command) {
    return cores == 0 ? command : pinned(0, cores, command);
  }

  /// The command of a program that leaves the first cores to others, if there are further ones.
  public static List<String> besideCores(int taken, List<String> command) {
    int all = Runtime.getRuntime().availableProcessors();
    return taken == 0 || taken >= all ? command : pinned(taken, all, command);
  }

  // the CPU sets of the kernel: taskset(1)
  private static List<String> pinned(int from, int end, List<String> command) {
    var pinned = new ArrayList<>(List.of("taskset", "-c", from + "-" + (end - 1)));
    pinned.addAll(command);
    return pinned;
  }

  /// Waits for the line that says that it is ready.
  ///
  /// @param isReady called with each line
  /// @return that line
  /// @throws IOException with the end of its output, if there is no such line
  public String awaitLine(Predicate<String> isReady) throws IOException, InterruptedException {
    return awaitLine(isReady, _ -> {});
  }

  /// @param later called with each line after that one, by another thread
  String awaitLine(Predicate<String> isReady, Consumer<String> later)
      throws IOException, InterruptedException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      keep(line);
      if (isReady.test(line)) {
        Thread.startVirtualThread(() -> drain(later));
        return line;
      }
    }
    throw ended();
  }

  private void drain(Consumer<String> later) {
    try (output) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        keep(line);
        later.accept(line);
      }
    } catch (IOException stopped) {
      // the program was stopped
    }
  }

  private void keep(String line) {
    synchronized (last) {
      last.addLast(line);
      if (last.size() > KEPT_LINES) {
        last.removeFirst();
      }
    }
  }

  private IOException ended() throws InterruptedException {
    close();
    synchronized (last) {
      return new IOException(name + " ended: " + String.join(" | ", last));
    }
  }

  public long pid() {
    return process.pid();
  }

  /// Ends its standard input, sends SIGTERM and waits for its end; SIGKILL after 60 s.
  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
