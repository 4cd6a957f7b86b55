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
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import toystore.clients.Project;
import toystore.torture.trial.TrialRound;

/// Runs rounds of several trials. The next round is of the trial with the smallest share of its
/// target. Results are written to disk after each round, so that a run can be stopped at any time:
/// properties files, so that programs in other languages can store theirs in the same folder.
///
/// ```
/// check=random-kills                         the name of the check
/// command=./toystore torture --seed=1        the command that repeats it
/// commit=fef568d                             the tested commit; + if there were uncommitted changes
/// seconds=1045                               the duration
/// test=tools/torture/src/…/KillsAndPowerCuts.java  the source file of the check
/// tried=312                                  the count
/// unit=kills                                 the unit of the count
/// broken=…                                   only after a failure: its message
/// untried=…                                  only if it was not run: the missing tool
/// ```
@Command(name = "./toystore torture")
@SuppressWarnings("NullAway.Init") // picocli sets the spec
final class TrialRunner implements Callable<Integer> {
  private static final Path RESULTS = Project.HOME.resolve("target/results");

  private static final String ROW = "%-19s %10s %10s  %-28s %6s %8s  %s%n";

  @Option(names = "--minutes")
  private @Nullable Integer minutes;

  @Option(names = "--seed")
  private long seed = 1;

  @Option(names = "--only", split = ",")
  private List<String> only = new ArrayList<>();

  @Option(names = "--faults", split = ",")
  private List<String> faults = new ArrayList<>();

  @Option(names = "--quick")
  private boolean quick;

  @Option(names = "--strict")
  private boolean strict;

  /// Whether the seed is that of a single round.
  @Option(names = "--replay")
  private boolean replay;

  @Spec private CommandSpec spec;

  private final List<Progress> trials;
  private Random seeds = new Random();
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

  TrialRunner(List<Trial> all) {
    trials = new ArrayList<>(all.stream().map(Progress::new).toList());
  }

  /// @return 0 if all trials passed and, with `--strict`, none was skipped
  @Override
  public Integer call() throws IOException {
    List<String> names = trials.stream().map(it -> it.trial.name()).toList();
    if (!names.containsAll(only)) {
      throw new ParameterException(
          spec.commandLine(), "--only: expected some of " + names + ", got " + only);
    }
    trials.removeIf(it -> !only.isEmpty() && !only.contains(it.trial.name()));
    seeds = new Random(seed);
    boolean complete = skipUnavailable();
    for (Progress next = next(); next != null; next = next()) {
      round(next);
      // results of short forms would replace those of long forms
      if (!quick && !replay && faults.isEmpty()) {
        write(next, "broken", next.failure);
      }
    }
    table();
    return complete && trials.stream().allMatch(it -> it.failure.isEmpty()) ? 0 : 1;
  }

  /// @return false if a trial was skipped that must not be
  private boolean skipUnavailable() throws IOException {
    boolean complete = true;
    for (Progress progress : List.copyOf(trials)) {
      String missing = progress.trial.missing().get().orElse("");
      if (!missing.isEmpty()) {
        out.printf(Locale.ROOT, "not run: %s (%s)%n", progress.trial.name(), missing);
        trials.remove(progress);
        complete &= !strict;
        write(progress, "untried", missing);
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
    if (progress.rounds == 0 || quick || replay) {
      return progress.rounds == 0;
    }
    return minutes == null
        ? progress.share() < 1
        : System.nanoTime() - begin < Duration.ofMinutes(minutes).toNanos();
  }

  private void round(Progress progress) throws IOException {
    long own = replay ? seed : seeds.nextLong(1L << 32);
    Path folder = Files.createTempDirectory("toystore-torture-");
    String name = progress.trial.name();
    out.printf(Locale.ROOT, "%s, round %d, seed %d%n", name, progress.rounds + 1, own);
    long start = System.nanoTime();
    try {
      progress.tried +=
          progress.trial.injection().round(new TrialRound(own, folder, faults, quick, out));
      Project.remove(folder);
    } catch (AssertionError | Exception e) {
      progress.failure = e.toString().strip().replaceAll("\\s*\\n\\s*", " | ");
      out.printf(Locale.ROOT, "FAILED %s%n", name);
      e.printStackTrace(out);
      out.printf(
          Locale.ROOT,
          "files of this round: %s; to repeat it: ./toystore torture --only %s --seed %d --replay%s%n",
          folder,
          name,
          own,
          quick ? " --quick" : "");
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

  /// Replaces an earlier result of the same trial.
  ///
  /// @param key `broken` or `untried`
  /// @param reason empty: neither
  private void write(Progress progress, String key, String reason) throws IOException {
    String source = progress.trial.source().getName().replace('.', '/');
    List<String> arguments = spec.commandLine().getParseResult().originalArgs();
    Files.write(
        Files.createDirectories(RESULTS).resolve(progress.trial.name() + ".properties"),
        List.of(
            "check=" + progress.trial.name(),
            "command=./toystore torture " + String.join(" ", arguments),
            "commit=" + commit(),
            "rounds=" + progress.rounds,
            "seconds=" + Duration.ofNanos(progress.nanos).toSeconds(),
            "test=tools/torture/src/main/java/" + source + ".java",
            "tried=" + progress.tried,
            "unit=" + progress.trial.unit(),
            reason.isEmpty() ? "" : key + "=" + reason.replace("\\", "\\\\")));
  }

  /// The current commit, with a `+` if there are uncommitted changes.
  private static String commit() throws IOException {
    return Project.run(List.of("git", "describe", "--always", "--dirty=+", "--exclude=*"));
  }

  private void table() {
    out.printf(
        Locale.ROOT, "%n" + ROW, "trial", "count", "target", "unit", "rounds", "seconds", "result");
    for (Progress it : trials) {
      out.printf(
          Locale.ROOT,
          ROW,
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
