package toystore.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import toystore.lab.report.EvaluationIndex;
import toystore.lab.report.RunReport;

/// `lab report`: writes the pages of runs.
@Command(name = "report", description = "Write the page of each run, and an index of all results.")
final class ReportCommand implements Callable<Integer> {
  private static final Path RESULTS = Path.of("gatling/target/results");
  private static final Path PUBLISHED = Path.of("docs/evaluation/published.csv");

  @Parameters(
      arity = "0..*",
      paramLabel = "FOLDER",
      description = "Folders of runs, complete or not. Default: all in gatling/target/results.")
  private List<Path> folders = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    for (Path folder : folders.isEmpty() ? results() : folders) {
      System.out.println(RunReport.writePage(folder, PUBLISHED).toAbsolutePath());
    }
    if (folders.isEmpty()) {
      System.out.println(EvaluationIndex.write(RESULTS).toAbsolutePath());
    }
    return 0;
  }

  private static List<Path> results() throws IOException {
    if (Files.notExists(RESULTS)) {
      throw new IOException("no results in %s; run ./toystore lab run".formatted(RESULTS));
    }
    try (Stream<Path> all = Files.list(RESULTS)) {
      return all.filter(it -> Files.exists(it.resolve("plan.json"))).sorted().toList();
    }
  }
}
