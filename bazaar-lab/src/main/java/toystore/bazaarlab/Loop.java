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
import toystore.gatling.environment.Environments;
import toystore.gatling.environment.SkippedException;
import toystore.gatling.environment.Subject;
import toystore.gatling.result.Run;

/// What all experiments here have in common. Each is a program, told by the same `-D…` as those of
/// Gatling are, see [LabSettings]:
///
/// ```
/// prepare: start what is measured, warm it up
/// repetition 1, 2, …: all trials, shuffled    -> samples and observations
/// audit
/// ```
///
/// The first wrong answer stops the run, and nothing is reported. A run that was interrupted goes
/// on where it stopped.
abstract class Loop {
  private static final Path BUILD = Path.of("bazaar-lab/target");

  private final ExperimentDesign design;

  /// An experiment before it begins.
  ///
  /// @param about more to be stored of the run, by key
  /// @param warmUps what is done first, one after another
  record Setup(
      List<Subject> subjects,
      List<Measurement> trials,
      Map<String, String> about,
      List<Step> warmUps) {}

  /// Something to be done.
  interface Step {
    void run() throws IOException, InterruptedException;
  }

  /// What an experiment is prepared with.
  ///
  /// @param folder the run's
  record Ground(
      Environments places,
      ExperimentDesign.Effort effort,
      Path folder,
      LoadClientMonitor loadClient) {}

  private record Turn(int repetition, Measurement trial) {}

  Loop(ExperimentDesign design) {
    this.design = design;
  }

  /// Starts what is measured.
  abstract Setup prepare(Ground ground) throws IOException, InterruptedException;

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
          design.name() + " measures what it starts itself: it cannot take another store");
    }
    Run run =
        Run.isAt(settings.results())
            ? Run.read(settings.results())
            : Run.create(settings.results(), Map.of("started", RunMetadata.now()));
    var effort = design.effort(settings);
    try (var places = new Environments(settings.home(), settings.results())) {
      var setup = prepare(new Ground(places, effort, settings.results(), new LoadClientMonitor()));
      run.note(RunMetadata.begun(design, settings, effort, setup.subjects, run));
      run.note(setup.about);
      measure(run, turns(run, setup.trials, effort.repetitions()), setup.warmUps);
      audit(run, setup.subjects);
      run.note(Map.of("finished", RunMetadata.now()));
    } catch (WrongResponseException wrong) {
      run.note(Map.of("failed", String.valueOf(wrong.getMessage())));
      throw wrong;
    }
  }

  /// What is not measured yet, in the order in which it will be.
  private static List<Turn> turns(Run run, List<Measurement> trials, int repetitions) {
    var turns = new ArrayList<Turn>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      var round = new ArrayList<>(trials);
      Collections.shuffle(round, new Random(repetition)); // a run that goes on has the same order
      for (Measurement trial : round) {
        turns.add(new Turn(repetition, trial));
      }
    }
    turns.removeIf(
        turn -> turn.trial.cells().stream().allMatch(cell -> run.has(turn.repetition, cell)));
    return turns;
  }

  private void measure(Run run, List<Turn> turns, List<Step> warmUps)
      throws IOException, InterruptedException {
    var progress = new Progress(design.name(), turns.stream().flatMap(Loop::shares).toList());
    for (int i = 0; i < warmUps.size() && !turns.isEmpty(); i++) {
      progress.warmingUp(i + 1, warmUps.size());
      warmUps.get(i).run();
    }
    for (Turn turn : turns) {
      for (var result : turn.trial.measure(turn.repetition)) {
        if (!run.has(turn.repetition, result.sample().cell())) { // one of two may be there
          run.add(result.sample(), result.micros(), result.observations());
        }
        progress.measured(result.sample());
      }
    }
    progress.done(true);
  }

  private static Stream<Progress.Share> shares(Turn turn) {
    var cells = turn.trial.cells();
    return cells.stream()
        .map(cell -> new Progress.Share(turn.repetition, cell, turn.trial.calls() / cells.size()));
  }

  /// What the load did must add up in every catalog's books.
  private static void audit(Run run, List<Subject> subjects) throws IOException {
    for (Subject subject : subjects) {
      if (subject.audit().isPresent()) {
        String verdict = RunMetadata.verdict(subject.audit().get());
        run.note(Map.of("audit." + subject.name(), verdict));
        if (verdict.startsWith("wrong")) {
          throw new WrongResponseException("the audit of " + subject.name(), "ok", verdict);
        }
      }
    }
  }
}
