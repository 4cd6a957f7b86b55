package toystore.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import toystore.lab.run.ImportedRun;

/// `lab import`: stores results that were measured elsewhere, as a run.
@Command(
    name = "import",
    description = {
      "Store results that another load generator measured, so that a report can show them.",
      "The file has a header and a line for each repetition of a cell, with the columns "
          + ImportedRun.COLUMNS_TEXT
    })
final class ResultsCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FILE", description = "The CSV file.")
  private Path file = Path.of("");

  @Parameters(index = "1", paramLabel = "NAME", description = "The name of the run.")
  private String name = "";

  @Option(
      names = "--results",
      paramLabel = "FOLDER",
      defaultValue = "gatling/target/results",
      description = "Where the run is stored. Default: ${DEFAULT-VALUE}.")
  private Path results = Path.of("");

  @Override
  public Integer call() throws IOException {
    Path folder = results.resolve(name);
    ImportedRun.read(file, name).store(folder);
    System.out.println(folder.toAbsolutePath());
    return 0;
  }
}
