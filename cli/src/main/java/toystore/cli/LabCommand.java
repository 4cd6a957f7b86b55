package toystore.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `./toystore lab`: runs experiments and prints what they measured.
///
/// The lab is a separate program in the modules gatling and bazaar-lab. This command builds and
/// starts it, so that users who only start a store need not download a load generator.
@Command(
    name = "lab",
    description = "Run experiments that measure stores; each produces tables, plots and findings.",
    footer = {
      "",
      "An interrupted experiment continues where it stopped. Results are written to",
      "gatling/target/results; `lab evaluation` copies the newest full results and plots into docs/."
    })
final class LabCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "EXPERIMENT",
      description =
          "An experiment, such as query-vs-buy. Default: all. An unknown name prints the list. Or:"
              + " report [FOLDER...] renders reports again; compare A B compares two runs;"
              + " evaluation updates docs/evaluation.md.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--quick",
      description =
          "Fewer repetitions and calls: all experiments take under ten minutes instead of an hour.")
  private boolean quick;

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "Measure the store at this URL instead of starting one.")
  private @Nullable String target;

  @Option(
      names = "--audit",
      paramLabel = "URL",
      description =
          "The audit URL of that store, requested at the end, such as http://HOST:8081/audit.")
  private @Nullable String audit;

  private final ModuleRunner module =
      new ModuleRunner(
          "bazaar-lab", "building the lab (the first build downloads Gatling and JMH)");

  @Override
  public Integer call() throws IOException, InterruptedException {
    module.build();
    return module.run("toystore.gatling.Lab", List.of("-Xmx512m"), arguments());
  }

  private List<String> arguments() {
    var arguments = new ArrayList<String>();
    boolean other =
        !words.isEmpty() && List.of("report", "compare", "evaluation").contains(words.getFirst());
    arguments.add(other ? words.getFirst() : "run");
    arguments.add(module.home().toString());
    if (quick) {
      arguments.add("--quick");
    }
    if (target != null) {
      arguments.addAll(List.of("--target", target));
    }
    if (audit != null) {
      arguments.addAll(List.of("--audit", audit));
    }
    arguments.addAll(other ? words.subList(1, words.size()) : words);
    return arguments;
  }
}
