package toystore.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import toystore.lab.report.Evaluation;

/// `lab evaluation`: publishes results.
@Command(
    name = "evaluation",
    description = {
      "Copy complete results to docs/evaluation, and write docs/evaluation.md and all pages.",
      "Without results, write them from the published runs."
    })
final class EvaluationCommand implements Callable<Integer> {
  @Option(
      names = "--results",
      paramLabel = "FOLDER",
      defaultValue = "gatling/target/results",
      description = "Where results are. Default: ${DEFAULT-VALUE}.")
  private Path results = Path.of("");

  @Override
  public Integer call() throws IOException {
    System.out.println("published: " + new Evaluation(Path.of("docs")).publish(results));
    return 0;
  }
}
