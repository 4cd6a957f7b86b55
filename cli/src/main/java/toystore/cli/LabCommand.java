package toystore.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
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
    if (!isOther()) {
      CommandRefused.requireKnown("experiment", words, experiments());
    }
    module.build();
    return module.run("toystore.gatling.Lab", List.of("-Xmx512m"), arguments());
  }

  /// Whether the words are a command of the lab and not names of experiments.
  private boolean isOther() {
    return !words.isEmpty()
        && List.of("report", "compare", "evaluation").contains(words.getFirst());
  }

  /// The names of the experiments, known before the lab is built: `QueryVsBuySimulation.java` is
  /// `query-vs-buy`.
  private List<String> experiments() throws IOException {
    var names = new TreeSet<String>();
    for (var folder : List.of("gatling", "bazaar-lab")) {
      var sources = module.home().resolve(folder).resolve("src/main/java/toystore");
      try (var files = Files.find(sources, 2, (_, file) -> file.isRegularFile())) {
        files
            .map(file -> file.getFileName().toString())
            .filter(file -> file.matches("\\w+(Simulation|Experiment)\\.java"))
            .map(file -> file.replaceAll("(Simulation|Experiment)\\.java", ""))
            .map(name -> name.replaceAll("(?<!^)([A-Z])", "-$1").toLowerCase(Locale.ROOT))
            .forEach(names::add);
      }
    }
    return List.copyOf(names);
  }

  private List<String> arguments() {
    var arguments = new ArrayList<String>();
    boolean other = isOther();
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
