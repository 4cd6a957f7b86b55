package toystore.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import toystore.lab.run.BlockRunner;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.run.StoredRun;
import toystore.lab.run.WarmUpPilot;

/// `lab pilot`: finds how long the subjects of an experiment must be warmed up.
@Command(
    name = "pilot",
    description = {
      "Find how long an experiment must warm up its subjects.",
      "Each is started once, warmed up for a long time, and its rate in each second is searched for"
          + " the second after which every window of 10 s is within 5 %% of the mean. Set"
          + " warmUpSeconds of the experiment to the largest answer."
    })
final class PilotCommand implements Callable<Integer> {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Parameters(paramLabel = "EXPERIMENT", description = "Its name, or a JSON file.")
  private String name = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "120",
      description = "Length of the warm-up, at least 20. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Mixin private TargetOptions target = new TargetOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    ExperimentPlan plan = Experiments.plan(name).pilot(seconds);
    var experiments = new Experiments(Path.of("").toAbsolutePath());
    String folder = "%s-pilot-%s".formatted(plan.name(), TIME.format(LocalDateTime.now()));
    StoredRun run = StoredRun.open(Path.of("gatling/target/pilots", folder), plan);
    new BlockRunner(plan, target.subjects(plan, experiments), run, System.out::println).run(1);
    WarmUpPilot.answers(run.rows()).forEach(System.out::println);
    return 0;
  }
}
