package toystore.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import toystore.clients.Conditions;

/// `./toystore up` as a process, with the programs that Maven built. One thread.
final class LauncherProcess implements AutoCloseable {
  private static final String CONSOLE = "\nconsole ";

  private final Path log;
  private final Process process;

  /// @param folder of all files, except the console's and the services' data
  LauncherProcess(Path folder, int port) throws IOException {
    log = folder.resolve("up.log");
    process =
        new ProcessBuilder(
                LinkedProject.in(folder).resolve("toystore").toString(),
                "up",
                "--data=" + folder.resolve("data"),
                "--port=" + port,
                "--toystore.account.bcrypt-strength=4")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
  }

  /// Waits for the line of the console, and returns its address.
  String awaitConsole() {
    return Conditions.patiently()
        .atMost(Duration.ofMinutes(5))
        .until(this::lines, it -> it.contains(CONSOLE))
        .replaceAll("(?s).*" + CONSOLE + "(\\S+).*", "$1");
  }

  private String lines() throws IOException {
    String lines = Files.readString(log);
    assertThat(process.isAlive()).as(lines).isTrue();
    return lines;
  }

  /// Stops the store as Ctrl-C does.
  ///
  /// @return the exit code
  int stop() throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("up exits within 60 s").isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly(); // its services end with it
  }
}
