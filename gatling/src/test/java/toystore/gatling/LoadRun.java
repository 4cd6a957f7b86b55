package toystore.gatling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import toystore.gatling.result.RunFolder;

/// An experiment in its own JVM, as the lab runs it.
record LoadRun(Process process, Path results) {
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /// @param given see [LabSettings]
  static LoadRun start(Path results, Map<String, String> given) throws IOException {
    Files.createDirectories(results);
    var command =
        new ArrayList<>(
            List.of(
                JAVA,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.util.prefs.userRoot=" + results,
                "-Dtoystore.gatling.target=" + Path.of("target").toAbsolutePath(),
                "-Dquick=true",
                "-DwarmUp=50",
                "-Dresults=" + results));
    given.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-cp", "target/classes:target/lib/*", "io.gatling.app.Gatling"));
    command.addAll(List.of("-s", QueryVsBuySimulation.class.getName()));
    command.addAll(List.of("-rf", results.resolve("gatling").toString()));
    return new LoadRun(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(results.resolve("log.txt").toFile())
            .start(),
        results);
  }

  /// Waits until it ends.
  ///
  /// @return its exit code
  int ended() throws InterruptedException {
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("it did not end, see " + results);
    }
    return process.exitValue();
  }

  RunFolder stored() throws IOException {
    return RunFolder.read(results);
  }

  String report() throws IOException {
    return Files.readString(results.resolve("report.md"));
  }

  String said() throws IOException {
    return Files.readString(results.resolve("log.txt"));
  }
}
