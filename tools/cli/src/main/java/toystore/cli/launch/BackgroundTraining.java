package toystore.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Creates the startup caches while the store runs, at the lowest priority, so that its customers
/// do not notice it. Later starts use them. One thread.
final class BackgroundTraining implements AutoCloseable {
  private final Path home;
  private @Nullable Process training;

  /// @param home the project folder
  BackgroundTraining(Path home) {
    this.home = home;
  }

  /// Starts `./toystore train`, if a cache is missing.
  void start() throws IOException {
    if (isComplete()) {
      return;
    }
    var command =
        new ProcessBuilder("nice", "-n", "19", home.resolve("toystore").toString(), "train")
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("target/app/train.log").toFile());
    command.environment().put("TOYSTORE_JAVA_HOME", System.getProperty("java.home"));
    training = command.start();
  }

  private boolean isComplete() {
    Path startup = home.resolve("target/app/startup");
    return Stream.of("services.aot", "cli.aot").map(startup::resolve).allMatch(Files::exists);
  }

  /// Ends an unfinished training. What it has created so far remains.
  @Override
  public void close() {
    if (training != null) {
      Stream.concat(training.descendants(), Stream.of(training.toHandle()))
          .forEach(ProcessHandle::destroyForcibly);
    }
  }
}
