package toystore.torture;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import toystore.clients.Project;

/// Runs rounds of several trials. The next round is of the trial with the smallest share of its
/// target. Results are written to disk after each round, so that a run can be stopped at any time.
final class TrialRunner {
  private final TortureOptions options;
  private final List<Progress> trials = new ArrayList<>();
  private final Path results = Project.HOME.resolve("target/results");
  private final Random seeds;
  private final PrintStream out = System.out;
  private final long begin = System.nanoTime();

  /// The progress of a trial.
  private static final class Progress {
    final Trial trial;
    long tried;
    long rounds;
    long nanos;
    String failure = "";

    Progress(Trial trial) {
      this.trial = trial;
    }

    double share() {
      return (double) tried / trial.target();
    }
  }

  TrialRunner(TortureOptions options, List<Trial> trials) {
    this.options = options;
    this.seeds = new Random(options.seed());
    trials.forEach(trial -> this.trials.add(new Progress(trial)));
  }

  /// @return whether all trials passed and, with `--strict`, none was skipped
  boolean run() throws IOException {
    boolean complete = skipUnavailable();
    for (Progress next = next(); next != null; next = next()) {
      round(next);
      write(next);
    }
    table();
    return complete && trials.stream().allMatch(it -> it.failure.isEmpty());
  }

  /// @return false if a trial was skipped that must not be
  private boolean skipUnavailable() throws IOException {
    boolean complete = true;
    for (Progress progress : List.copyOf(trials)) {
      String missing = progress.trial.missing().get().orElse("");
      if (!missing.isEmpty()) {
        out.printf(Locale.ROOT, "not run: %s (%s)%n", progress.trial.name(), missing);
        trials.remove(progress);
        complete &= !options.strict();
        TrialResult result = result(progress);
        result.values().put("untried", missing);
        result.write(results);
      }
    }
    return complete;
  }

  private @Nullable Progress next() {
    return trials.stream()
        .filter(it -> it.failure.isEmpty() && shouldContinue(it))
        .min(Comparator.comparingDouble(Progress::share))
        .orElse(null);
  }

  /// Every trial has at least one round. With `--minutes` it continues until the time is over,
  /// otherwise until it has reached its target.
  private boolean shouldContinue(Progress progress) {
    if (options.quick() || options.replay()) {
      return progress.rounds == 0;
    }
    Duration time = options.time();
    return progress.rounds == 0
        || (time == null ? progress.share() < 1 : System.nanoTime() - begin < time.toNanos());
  }

  private void round(Progress progress) throws IOException {
    long seed = options.replay() ? options.seed() : seeds.nextLong(1L << 32);
    Path folder = Files.createTempDirectory("toystore-torture-");
    String name = progress.trial.name();
    out.printf(Locale.ROOT, "%s, round %d, seed %d%n", name, progress.rounds + 1, seed);
    long start = System.nanoTime();
    try {
      progress.tried +=
          progress.trial.injection().round(new TrialRound(seed, folder, options.quick(), out));
      Project.remove(folder);
    } catch (AssertionError | Exception e) {
      progress.failure =
          String.format(Locale.ROOT, "%s", e).strip().replaceAll("\\s*\\n\\s*", " | ");
      out.printf(Locale.ROOT, "FAILED %s%n", name);
      e.printStackTrace(out);
      out.printf(
          Locale.ROOT,
          "files of this round: %s; to repeat it: ./toystore torture --only %s --seed %d --replay%s%n",
          folder,
          name,
          seed,
          options.quick() ? " --quick" : "");
    }
    progress.rounds++;
    progress.nanos += System.nanoTime() - start;
    out.printf(
        Locale.ROOT,
        "%s: %d of %d %s after %d s%n",
        name,
        progress.tried,
        progress.trial.target(),
        progress.trial.unit(),
        Duration.ofNanos(System.nanoTime() - begin).toSeconds());
  }

  /// Results of short forms are not stored, because they would replace those of long forms.
  private void write(Progress progress) throws IOException {
    if (options.quick() || options.replay()) {
      return;
    }
    TrialResult result = result(progress);
    if (!progress.failure.isEmpty()) {
      result.values().put("broken", progress.failure);
    }
    result.write(results);
  }

  private TrialResult result(Progress progress) {
    var values = new TreeMap<String, String>();
    values.put("check", progress.trial.name());
    values.put(
        "test",
        String.format(
            Locale.ROOT,
            "tools/torture/src/main/java/%s.java",
            progress.trial.source().getName().replace('.', '/')));
    values.put("command", options.command());
    values.put("commit", Git.commit());
    values.put("tried", Long.toString(progress.tried));
    values.put("unit", progress.trial.unit());
    values.put("rounds", Long.toString(progress.rounds));
    values.put("seconds", Long.toString(Duration.ofNanos(progress.nanos).toSeconds()));
    return new TrialResult(values);
  }

  private void table() {
    out.printf(
        Locale.ROOT,
        "%n%-16s %10s %10s  %-22s %8s %8s  %s%n",
        "trial",
        "count",
        "target",
        "unit",
        "rounds",
        "seconds",
        "result");
    for (Progress it : trials) {
      out.printf(
          Locale.ROOT,
          "%-16s %10d %10d  %-22s %8d %8d  %s%n",
          it.trial.name(),
          it.tried,
          it.trial.target(),
          it.trial.unit(),
          it.rounds,
          Duration.ofNanos(it.nanos).toSeconds(),
          it.failure.isEmpty() ? "passed" : "FAILED");
    }
  }
}
