package toystore.torture.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import toystore.clients.Project;

/// Runs the history checker, a Go program that uses the Porcupine library
/// (`tools/torture/porcupine`). A history is linearizable if every request can be assigned a time
/// between its call and its return so that a store that executes requests one at a time would have
/// given the same responses. A request without a response may take effect later or never.
final class PorcupineChecker {
  private static final String PROGRAM = "check-history";
  private static final String SECONDS_PER_GROUP = "120";

  private PorcupineChecker() {}

  static Optional<String> missing() {
    return program().isPresent()
        ? Optional.empty()
        : Optional.of(PROGRAM + " is not installed; run .ci/tools go-checks");
  }

  /// On the PATH, or in the folder into which `.ci/tools` installs programs.
  private static Optional<Path> program() {
    Stream<Path> path =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).map(Path::of);
    return Stream.concat(path, Stream.of(Project.tools().resolve("bin")))
        .map(it -> it.resolve(PROGRAM))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// Keeps the history in target/ if the check fails, because the folder of the round is deleted.
  ///
  /// @param history a file written by [History#write]
  /// @throws AssertionError if it is not linearizable or the search took too long
  static void check(Path history, PrintStream out) throws IOException, InterruptedException {
    Process checker =
        new ProcessBuilder(
                program().orElseThrow().toString(),
                "-seconds",
                SECONDS_PER_GROUP,
                history.toString())
            .redirectErrorStream(true)
            .start();
    String said;
    try (var output = checker.inputReader()) {
      said = output.readAllAsString();
    }
    int code = checker.waitFor();
    if (code != 0) {
      Path kept = Files.createDirectories(Path.of("target")).resolve("bad-history.jsonl");
      Files.copy(history, kept, StandardCopyOption.REPLACE_EXISTING);
    }
    assertThat(code)
        .as(
            "the history in target/bad-history.jsonl is not linearizable, or could not be checked"
                + " in time: %s",
            said)
        .isZero();
    out.print(said);
  }
}
