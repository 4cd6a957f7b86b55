package toystore.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import toystore.clients.BuiltPrograms;
import toystore.clients.Project;
import toystore.lab.run.BlockRunner;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.run.FailurePlan;
import toystore.lab.run.FailureRun;
import toystore.lab.run.StoredRun;
import toystore.lab.run.Subject;

/// `lab run`: runs experiments.
@Command(
    name = "run",
    description = {
      "Run experiments.",
      "An interrupted experiment continues with the block in which it was interrupted."
    })
final class RunCommand implements Callable<Integer> {
  private static final String BENCH = "bench";
  private static final String BEFORE = "before";

  @Parameters(
      arity = "0..*",
      paramLabel = "EXPERIMENT",
      description =
          "An experiment of the lab, such as query-vs-buy or failures, or a JSON file. Default: all.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--quick",
      description = "Two blocks with short cells: shows that it works, and measures little.")
  private boolean quick;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Blocks to run. Default: as planned, at least 6.")
  private @Nullable Integer blocks;

  @Option(
      names = "--subjects",
      paramLabel = "SUBJECT",
      split = ",",
      description =
          "Measure these subjects of each experiment only, such as processes,cached of cache."
              + " Default: all, of bench without uncached, the store without the frontend's product"
              + " cache, and jpa, a Spring Boot service with JPA and PostgreSQL.")
  private List<String> subjects = new ArrayList<>();

  @Option(
      names = "--against",
      paramLabel = "FOLDER",
      description =
          "With bench: another clone of this project, built: its store is measured too, as before.")
  private @Nullable Path against;

  @Mixin private TargetOptions target = new TargetOptions();

  @Mixin private ResultsOption results = new ResultsOption();

  @Override
  public Integer call() throws IOException, InterruptedException, SQLException {
    boolean hasFailures = names.isEmpty() || names.contains(FailureRun.NAME);
    if (hasFailures && target.isGiven()) {
      throw new IOException(FailureRun.NAME + " kills processes of its own store; got --target");
    }
    if (hasFailures && !subjects.isEmpty()) {
      throw new IOException(FailureRun.NAME + " has one store; got --subjects " + subjects);
    }
    var plans = new ArrayList<ExperimentPlan>(); // a mistake in one is found before the first runs
    for (String name : names.isEmpty() ? Experiments.NAMES : names) {
      if (!name.equals(FailureRun.NAME)) {
        ExperimentPlan plan = chosen(Experiments.plan(name));
        plans.add(quick ? plan.quick() : plan);
      }
    }
    int exitCode = 0;
    for (ExperimentPlan plan : plans) {
      List<Subject> measured = target.subjects(plan, against);
      String missing = "";
      for (Subject subject : measured) {
        missing = missing.isEmpty() ? subject.missing() : missing;
      }
      if (!missing.isEmpty()) {
        System.out.println(plan.name() + " is skipped: " + missing);
        continue;
      }
      String folder = quick ? plan.name() + "-quick" : plan.name();
      StoredRun run =
          plan.name().equals(BENCH)
              ? results.create(plan)
              : StoredRun.open(results.folder().resolve(folder), plan);
      run.note(against == null ? Map.of() : Map.of(BEFORE, against.toAbsolutePath().toString()));
      new BlockRunner(plan, measured, run, StartCommand.inProcesses(run), System.out::println)
          .run(blocks == null ? plan.blocks() : blocks);
      exitCode = Math.max(exitCode, Analysis.report(run.folder()));
    }
    return hasFailures ? Math.max(exitCode, runFailures()) : exitCode;
  }

  private ExperimentPlan chosen(ExperimentPlan whole) throws IOException {
    ExperimentPlan plan = whole.only(subjects);
    if (against == null) {
      return plan;
    }
    if (Files.notExists(against.resolve("target/app/built"))) {
      throw new IOException(
          "--against: expected a clone of this project, built by ./toystore status, in " + against);
    }
    var names = new ArrayList<>(plan.subjects());
    names.add(BEFORE);
    return whole.only(names);
  }

  private int runFailures() throws IOException, InterruptedException, SQLException {
    if (BuiltPrograms.isRelease(Project.HOME)) {
      System.out.println(
          FailureRun.NAME + " is skipped: it needs a clone, because a release has no PostgreSQL");
      return 0;
    }
    Path folder = results.folder().resolve(quick ? FailureRun.NAME + "-quick" : FailureRun.NAME);
    FailurePlan whole = Experiments.failures();
    FailurePlan plan = quick ? whole.only(10, "CATALOG") : whole;
    new FailureRun(
            Path.of("").toAbsolutePath(), Experiments.PORT, folder, plan, System.out::println)
        .run(blocks == null ? plan.repetitions() : blocks);
    return Analysis.report(folder);
  }
}
