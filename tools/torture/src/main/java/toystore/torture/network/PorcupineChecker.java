package toystore.torture.network;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
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
        : Optional.of(
            String.format(Locale.ROOT, "%s is not installed; run .ci/tools go-checks", PROGRAM));
  }

  /// On the PATH, or in the folder into which `.ci/tools` installs programs.
  private static Optional<Path> program() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Stream.concat(
            Arrays.stream(path.split(File.pathSeparator)).map(Path::of),
            Stream.of(Project.tools().resolve("bin")))
        .map(it -> it.resolve(PROGRAM))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// @param history a file written by [History#write]
  /// @throws AssertionError if it is not linearizable or the search took too long
  static void check(Path history, PrintStream out) throws IOException, InterruptedException {
    String program = program().orElseThrow().toString();
    Path verdict = history.resolveSibling("verdict.txt");
    int code =
        new ProcessBuilder(program, "-seconds", SECONDS_PER_GROUP, history.toString())
            .redirectErrorStream(true)
            .redirectOutput(verdict.toFile())
            .start()
            .waitFor();
    String said = Files.readString(verdict);
    if (code != 0) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "the history %s is not linearizable, or could not be checked in time:%n%s",
              kept(history),
              said));
    }
    out.print(said);
  }

  /// Copies the history to target/, because the folder of the round is deleted.
  private static Path kept(Path history) throws IOException {
    Path kept = Files.createDirectories(Path.of("target")).resolve("bad-history.jsonl");
    return Files.copy(history, kept, StandardCopyOption.REPLACE_EXISTING).toAbsolutePath();
  }
}
