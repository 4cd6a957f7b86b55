package toystore.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A program of the test's class path, such as `./toystore`, in a pseudo-terminal, which `script`
/// of util-linux makes.
public final class PseudoTerminal implements AutoCloseable {
  public static final Path SCRIPT = Path.of("/usr/bin/script");

  private final StringBuffer screen = new StringBuffer();
  private final Process process;
  private int seen;

  /// @param state the user's XDG_STATE_HOME
  /// @param command the name of the main class and its arguments
  public PseudoTerminal(Path state, String command) throws IOException {
    var java =
        format(
            "stty cols 120 rows 40; %s -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' %s",
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("java.class.path"),
            command);
    var script = new ProcessBuilder(SCRIPT.toString(), "-qec", java, "/dev/null");
    script.environment().put("XDG_STATE_HOME", state.toString());
    script.environment().put("TERM", "xterm");
    process = script.redirectErrorStream(true).start();
    Thread.ofVirtual().start(this::readScreen);
  }

  private void readScreen() {
    try (var output = process.inputReader(StandardCharsets.UTF_8)) {
      for (var next = output.read(); next >= 0; next = output.read()) {
        screen.append((char) next);
      }
    } catch (IOException ended) {
      screen.append("[end]");
    }
  }

  /// Everything that was shown up to the last text that was waited for.
  public String shown() {
    return screen.substring(0, seen);
  }

  /// Waits until a text appears after the last one that was waited for.
  public void see(String text) {
    Conditions.patiently().untilAsserted(() -> assertThat(screen.substring(seen)).contains(text));
    seen = screen.indexOf(text, seen) + text.length();
  }

  public void type(String keys) throws IOException {
    process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  public int awaitExit() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
