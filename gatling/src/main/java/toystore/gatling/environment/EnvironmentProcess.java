package toystore.gatling.environment;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A child process. Its output goes to a log file; a line `ready` reports that it is ready. It
/// stops on SIGTERM, or when its standard input closes because this program ended.
final class EnvironmentProcess implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(8);
  private static final Duration STOP = Duration.ofMinutes(1);

  private final Process process;
  private final Path log;
  private final Map<String, String> properties = new LinkedHashMap<>();
  private volatile String lastLine = "";
  private final CompletableFuture<Map<String, String>> ready = new CompletableFuture<>();

  private EnvironmentProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /// Starts a program in a working directory.
  static EnvironmentProcess start(
      List<String> command, Map<String, String> environment, Path folder, Path log)
      throws IOException {
    Files.createDirectories(log.toAbsolutePath().getParent());
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    var child = new EnvironmentProcess(builder.start(), log);
    // not a virtual thread: a blocking read of a pipe pins its carrier, and there are two carriers
    Thread.ofPlatform().daemon().name("listen to " + log.getFileName()).start(child::readOutput);
    return child;
  }

  private void readOutput() {
    try (var in = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        var out = Files.newBufferedWriter(log)) {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        out.write(line);
        out.newLine();
        out.flush();
        parse(line);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } finally {
      ready.completeExceptionally(
          new IOException("the process exited before it was ready; see " + log));
    }
  }

  private void parse(String line) {
    lastLine = line;
    int equals = line.indexOf('=');
    if (line.matches("[a-z-]+=\\S.*")) {
      properties.put(line.substring(0, equals), line.substring(equals + 1));
    } else if (line.equals("ready") || line.startsWith("ready ")) {
      ready.complete(Map.copyOf(properties));
    }
  }

  /// Waits until it is ready.
  ///
  /// @return the `key=value` lines that it printed until then
  Map<String, String> awaitReady() throws IOException, InterruptedException {
    try {
      return ready.get(START.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException notReady) {
      close();
      if (process.exitValue() == SkippedException.EXIT_CODE) {
        throw new SkippedException(lastLine);
      }
      throw new IOException("store did not become ready; see %s".formatted(log), notReady);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /// Stops the process by SIGTERM. `Process.destroy` would also close the pipe of its last output.
  @Override
  public void close() {
    process.toHandle().destroy();
    try {
      if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
