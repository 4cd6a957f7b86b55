package toystore.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import picocli.CommandLine.Option;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.StoredRun;

/// The option that names the folder of results.
final class ResultsOption {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  @Option(
      names = "--results",
      paramLabel = "FOLDER",
      defaultValue = "target/lab",
      description = "Folder of the results. Default: ${DEFAULT-VALUE}.")
  private Path folder = Path.of("");

  Path folder() {
    return folder;
  }

  /// Creates a run whose name has the time.
  StoredRun create(ExperimentPlan plan) throws IOException {
    String time = TIME.format(LocalDateTime.now(ZoneOffset.UTC));
    return StoredRun.open(folder.resolve(plan.name() + "-" + time), plan);
  }
}
