package toystore.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import toystore.lab.floor.Floors;
import toystore.lab.report.BenchReport;
import toystore.lab.report.RunAnalysis;
import toystore.lab.run.BlockRunner;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.run.LauncherSubject;
import toystore.lab.run.StartingStore;
import toystore.lab.run.StoredRun;
import toystore.lab.run.Subject;

/// `lab bench`, which is `./toystore bench`: the store beside what the machine can do.
@Command(
    name = "bench",
    description = {
      "Measure the store's paths beside floors: programs that do one part of its work.",
      "Floors: an empty Spring MVC controller, an HTTP answer of Netty, an empty gRPC call, a synced"
          + " write, a batched SQLite commit. Each block starts all of them and the store in random"
          + " order. The last output is tables in Markdown: rates, latencies, CPU time by process,"
          + " ratios with intervals, and the buys in each second since up was typed."
    })
final class BenchCommand implements Callable<Integer> {
  private static final int PORT = 9_900;

  @Option(
      names = "--quick",
      description = "Two blocks with short cells: shows that it works, and measures little.")
  private boolean quick;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Blocks to run, 4 minutes each. Default: 5.")
  private @Nullable Integer blocks;

  @Mixin private ResultsOption results = new ResultsOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    ExperimentPlan planned = Experiments.plan("bench");
    ExperimentPlan plan = quick ? planned.quick() : planned;
    Path home = Path.of("").toAbsolutePath();
    StoredRun run = results.create(plan);
    new BlockRunner(plan, subjects(home), run, System.out::println)
        .run(blocks == null ? plan.blocks() : blocks);
    String tables = new BenchReport(new RunAnalysis(plan, run.rows())).markdown();
    Path file = run.folder().resolve("bench.md");
    Files.writeString(file, tables);
    System.out.printf("%n%s%n%s%n", tables, file.toAbsolutePath());
    return 0;
  }

  private static List<Subject> subjects(Path home) {
    var subjects = new ArrayList<>(Floors.of(home));
    var store = new LauncherSubject("store", "A process for each service.", home, PORT, List.of());
    subjects.add(store);
    subjects.add(new StartingStore("start", store));
    return subjects;
  }
}
