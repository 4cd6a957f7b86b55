package toystore.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import toystore.cli.ToystoreCommand;
import toystore.clients.Conditions;
import toystore.clients.Project;
import toystore.platform.service.StoreServiceDescriptor;

/// `./toystore up` as a process, with the programs that Maven built: a project folder of links, so
/// that the launcher builds nothing. One thread.
final class LauncherProcess implements AutoCloseable {
  private static final String CONSOLE = "\nconsole ";

  private final Path log;
  private final Process process;

  /// @param folder of all files, except the console's and the services' data
  LauncherProcess(Path folder, int port) throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Path app = Files.createDirectories(home.resolve("target/app"));
    for (String file : List.of("jvm.options", "docs")) {
      Files.createSymbolicLink(home.resolve(file), Project.HOME.resolve(file));
    }
    for (StoreServiceDescriptor service : StoreServiceDescriptor.ofProject(Project.HOME)) {
      Files.createSymbolicLink(
          home.resolve(service.program()), Project.HOME.resolve(service.program()));
      Files.writeString(
          app.resolve(service.program() + ".options"),
          String.format(
              Locale.ROOT, "-XX:TieredStopAtLevel=1 -jar \"%s\"", Project.jar(service.name())));
    }
    log = folder.resolve("up.log");
    process =
        new ProcessBuilder(
                Project.JAVA,
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dtoystore.home=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                ToystoreCommand.class.getName(),
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
