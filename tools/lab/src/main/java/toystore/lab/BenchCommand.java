package toystore.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import toystore.lab.run.BlockRunner;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.run.StoredRun;
import toystore.lab.run.Subject;

/// `lab bench`, which is `./toystore bench`: the experiment `bench`, with tables of its own.
@Command(
    name = "bench",
    description = {
      "Measure the store's paths beside floors: programs that do one part of its work.",
      "Floors: an empty Spring MVC controller, an HTTP answer of Netty, an empty gRPC call. Each"
          + " block starts all of them and the store in random order. The last output is tables in"
          + " Markdown: rates, latencies, CPU time by process, ratios with intervals, and memory."
    })
final class BenchCommand implements Callable<Integer> {
  private static final String BEFORE = "before";

  @Option(
      names = "--quick",
      description = "Two blocks with short cells: shows that it works, and measures little.")
  private boolean quick;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Blocks to run, 6 minutes each. Default: 5.")
  private @Nullable Integer blocks;

  @Option(
      names = "--against",
      paramLabel = "FOLDER",
      description = "Another clone of this project, built: its store is measured too, as before.")
  private @Nullable Path against;

  @Option(
      names = "--only",
      paramLabel = "SUBJECT",
      split = ",",
      defaultValue = "mvc,netty,grpc,store,marketplace,one-jvm",
      description =
          "Measure these. Default: ${DEFAULT-VALUE}. There are also uncached, the store without the"
              + " frontend's product cache, and jpa, a Spring Boot service with JPA and PostgreSQL.")
  private List<String> only = new ArrayList<>();

  @Mixin private ResultsOption results = new ResultsOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    ExperimentPlan bench = Experiments.plan("bench");
    List<Subject> subjects =
        new ArrayList<>(Experiments.subjects(bench.only(only), Path.of("").toAbsolutePath()));
    if (against != null) {
      Path other = against.toAbsolutePath().normalize();
      if (Files.notExists(other.resolve("target/app/built"))) {
        throw new IOException(
            "--against: expected a clone of this project, built by ./toystore status, in " + other);
      }
      subjects.addAll(Experiments.subjects(bench.only(List.of(BEFORE)), other));
    }
    ExperimentPlan planned = bench.only(subjects.stream().map(Subject::name).toList());
    ExperimentPlan plan = quick ? planned.quick() : planned;
    StoredRun run = results.create(plan);
    run.note(against == null ? Map.of() : Map.of(BEFORE, against.toAbsolutePath().toString()));
    new BlockRunner(plan, subjects, run, StartCommand.inProcesses(run), System.out::println)
        .run(blocks == null ? plan.blocks() : blocks);
    return Analysis.report(run.folder());
  }
}
