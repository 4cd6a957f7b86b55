package toystore.bazaarlab;

import java.io.IOException;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import toystore.gatling.ExperimentDesign;
import toystore.gatling.LabSettings;
import toystore.gatling.LoadClientMonitor;
import toystore.gatling.Progress;
import toystore.gatling.RunMetadata;
import toystore.gatling.environment.SkippedException;
import toystore.gatling.environment.StoreProvisioner;
import toystore.gatling.environment.Subject;
import toystore.gatling.result.RunFolder;

/// Base class of the experiments in this package. Each is a program with the same `-D…` settings as
/// the experiments that Gatling runs, see [LabSettings]:
///
/// ```
/// prepare: start what is measured, warm it up
/// repetition 1, 2, …: all trials, shuffled    -> samples and observations
/// audit
/// ```
///
/// The first wrong response stops the run, and no report is written. An interrupted run resumes
/// where it stopped.
abstract class ExperimentProgram {
  private static final Path BUILD = Path.of("bazaar-lab/target");

  private final ExperimentDesign design;

  /// An experiment that is ready to run.
  ///
  /// @param about further metadata of the run, by key
  /// @param warmUps run first, one after another
  record Setup(
      List<Subject> subjects,
      List<BenchmarkCase> measurements,
      Map<String, String> about,
      List<WarmUpStep> warmUps) {}

  /// Warms up one target.
  interface WarmUpStep {
    void run() throws IOException, InterruptedException;
  }

  /// The resources that an experiment may use in [#prepare].
  ///
  /// @param folder of the run's results
  record RunContext(
      StoreProvisioner environments,
      ExperimentDesign.Effort effort,
      Path folder,
      LoadClientMonitor loadClient) {}

  private record ScheduledMeasurement(int repetition, BenchmarkCase measurement) {}

  ExperimentProgram(ExperimentDesign design) {
    this.design = design;
  }

  /// Starts what is measured.
  abstract Setup prepare(RunContext context) throws IOException, InterruptedException;

  void main() {
    try {
      run(LabSettings.from(System.getProperties(), BUILD, ZonedDateTime.now()));
      System.exit(0);
    } catch (SkippedException no) {
      System.err.println(no.getMessage());
      System.exit(SkippedException.EXIT_CODE);
    } catch (IOException
        | InterruptedException
        | IllegalArgumentException
        | WrongResponseException wrong) {
      System.err.println(wrong.getMessage() == null ? wrong.toString() : wrong.getMessage());
      System.exit(1);
    } catch (RuntimeException bug) {
      bug.printStackTrace();
      System.exit(1);
    }
  }

  private void run(LabSettings settings) throws IOException, InterruptedException {
    if (settings.target().isPresent()) {
      throw new SkippedException(
          design.name() + " starts the services that it measures; it does not support --target");
    }
    RunFolder run =
        RunFolder.isAt(settings.results())
            ? RunFolder.read(settings.results())
            : RunFolder.create(settings.results(), Map.of("started", RunMetadata.now()));
    var effort = design.effort(settings);
    try (var environments = new StoreProvisioner(settings.home(), settings.results())) {
      var setup =
          prepare(
              new RunContext(environments, effort, settings.results(), new LoadClientMonitor()));
      run.note(RunMetadata.begun(design, settings, effort, setup.subjects, run));
      run.note(setup.about);
      measure(run, schedule(run, setup.measurements, effort.repetitions()), setup.warmUps);
      audit(run, setup.subjects);
      run.note(Map.of("finished", RunMetadata.now()));
    } catch (WrongResponseException wrong) {
      run.note(Map.of("failed", String.valueOf(wrong.getMessage())));
      throw wrong;
    }
  }

  /// The measurements that the run does not have yet, in random order.
  private static List<ScheduledMeasurement> schedule(
      RunFolder run, List<BenchmarkCase> measurements, int repetitions) {
    var schedule = new ArrayList<ScheduledMeasurement>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      var round = new ArrayList<>(measurements);
      Collections.shuffle(round, new Random(repetition)); // a resumed run has the same order
      for (BenchmarkCase measurement : round) {
        schedule.add(new ScheduledMeasurement(repetition, measurement));
      }
    }
    schedule.removeIf(scheduled ->
        scheduled.measurement.cells().stream()
            .allMatch(cell -> run.has(scheduled.repetition, cell)));
    return schedule;
  }

  private void measure(RunFolder run, List<ScheduledMeasurement> schedule, List<WarmUpStep> warmUps)
      throws IOException, InterruptedException {
    var progress =
        new Progress(
            design.name(), schedule.stream().flatMap(ExperimentProgram::plannedCells).toList());
    for (int i = 0; i < warmUps.size() && !schedule.isEmpty(); i++) {
      progress.warmingUp(i + 1, warmUps.size());
      warmUps.get(i).run();
    }
    for (ScheduledMeasurement scheduled : schedule) {
      for (var result : scheduled.measurement.measure(scheduled.repetition)) {
        if (!run.has(
            scheduled.repetition,
            result.sample().cell())) { // a resumed run may have one of two cells
          run.add(result.sample(), result.micros(), result.observations());
        }
        progress.measured(result.sample());
      }
    }
    progress.done(true);
  }

  private static Stream<Progress.PlannedCell> plannedCells(ScheduledMeasurement scheduled) {
    var cells = scheduled.measurement.cells();
    return cells.stream()
        .map(cell ->
            new Progress.PlannedCell(
                scheduled.repetition, cell, scheduled.measurement.calls() / cells.size()));
  }

  /// The audit of every catalog must pass after the load.
  private static void audit(RunFolder run, List<Subject> subjects) throws IOException {
    for (Subject subject : subjects) {
      if (subject.audit().isPresent()) {
        String verdict = RunMetadata.verdict(subject.audit().get());
        run.note(Map.of("audit." + subject.name(), verdict));
        if (verdict.startsWith("wrong")) {
          throw new WrongResponseException("audit of " + subject.name(), "ok", verdict);
        }
      }
    }
  }
}
