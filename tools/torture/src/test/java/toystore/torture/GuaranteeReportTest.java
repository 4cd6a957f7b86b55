package toystore.torture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import toystore.clients.Project;

/// Checks that the page docs/guarantees.md matches the stored results and the patches of planted
/// bugs, and that these apply. Skipped without Python.
class GuaranteeReportTest {
  @Test
  void pageMatchesTheResultsAndEveryPlantedBugApplies() throws IOException, InterruptedException {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(it -> Files.isExecutable(Path.of(it, "python3"))),
        "python3 is not installed");
    String script = Project.HOME.resolve("tools/torture/mistakes/guarantees.py").toString();
    Process check =
        new ProcessBuilder("python3", script, "--check").redirectErrorStream(true).start();
    assertThat(new String(check.getInputStream().readAllBytes(), UTF_8)).isEmpty();
    assertThat(check.waitFor()).isZero();
  }

  @Test
  void optionsThatDoNotFitAreRefused() {
    assertThat(exitCode("--only=exchange,exchänge")).isEqualTo(2);
    assertThat(exitCode("--faults=catalog-killed", "--only=exchange")).isEqualTo(2);
    assertThat(exitCode("--replay", "--only=exchange")).isEqualTo(2);
    assertThat(exitCode("nope")).isEqualTo(2);
  }

  private static int exitCode(String... arguments) {
    var runner = new TrialRunner(List.of(Torture.trial("exchange")));
    return new CommandLine(runner).execute(arguments);
  }
}
