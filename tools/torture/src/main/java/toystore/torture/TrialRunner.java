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
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import toystore.clients.BuiltPrograms;
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
@Command(
    name = "./toystore torture",
    description =
        "Inject faults into stores (kills, power cuts, bad disks, lossy networks, overload) and check"
            + " their guarantees.",
    footer = {
      "",
      "It starts its own stores on free ports and does not touch yours. Results are written to",
      "target/results; `torture guarantees` copies them into docs/."
    },
    subcommands = CommandLine.HelpCommand.class)
@SuppressWarnings("NullAway.Init") // picocli sets the spec
final class TrialRunner implements Callable<Integer> {
  private static final Path RESULTS = Project.HOME.resolve("target/results");

  private static final String ROW = "%-19s %10s %10s  %-28s %6s %8s  %s%n";

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "How long to run (default: until each trial has reached its target count).")
  private @Nullable Integer minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "The random seed (default: a new one, which is printed).")
  private long seed = System.currentTimeMillis() % 1_000_000;

  @Option(
      names = "--only",
      paramLabel = "TRIAL",
      split = ",",
      description = "Run only these trials, such as power-cuts; an unknown name prints the list.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--faults",
      paramLabel = "FAULT",
      split = ",",
      description =
          "Only with --only postgresql: the faults of a round, such as catalog-cut; each as often as it"
              + " is named (default: one of each).")
  private List<String> faults = new ArrayList<>();

  @Option(names = "--quick", description = "Run one short round of each trial.")
  private boolean quick;

  @Option(names = "--strict", description = "Fail if the tool that a trial needs is not installed.")
  private boolean strict;

  @Option(
      names = "--replay",
      description = "Repeat one round of the trial given by --only, with the seed that it printed.")
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
    require(names.containsAll(only), "--only: expected some of " + names + ", got " + only);
    require(minutes == null || minutes > 0, "--minutes must be at least 1; got " + minutes);
    require(
        !replay || isGiven("--seed") && only.size() == 1,
        "--replay requires --seed and exactly one trial in --only");
    require(
        faults.isEmpty() || only.equals(List.of("postgresql")),
        "--faults requires --only postgresql");
    out.println("seed " + seed);
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

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  @Command(description = "Plant bugs in a clone and check that the tests detect them.")
  int mistakes(
      @Parameters(
              arity = "0..*",
              paramLabel = "NAME",
              description = "Of a patch in tools/torture/mistakes. Default: all.")
          @Nullable List<String> names)
      throws IOException, InterruptedException {
    return runScript("torture mistakes", "plant.py", names == null ? List.of() : names);
  }

  @Command(description = "Copy the newest results to docs/guarantees; update docs/guarantees.md.")
  int guarantees() throws IOException, InterruptedException {
    return runScript("torture guarantees", "guarantees.py", List.of());
  }

  private static int runScript(String command, String name, List<String> arguments)
      throws IOException, InterruptedException {
    if (BuiltPrograms.lacksSource(command)) {
      return CommandLine.ExitCode.USAGE;
    }
    Path script = Project.HOME.resolve("tools/torture/mistakes").resolve(name);
    var program = new ArrayList<>(List.of("python3", script.toString()));
    program.addAll(arguments);
    var builder = new ProcessBuilder(program).inheritIO();
    builder.environment().put("JAVA_HOME", System.getProperty("java.home")); // for Maven
    return builder.start().waitFor();
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
    var arguments = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    if (!isGiven("--seed")) {
      arguments.add("--seed=" + seed);
    }
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
    Optional<String> release = BuiltPrograms.release(Project.HOME);
    if (release.isPresent()) {
      return "release " + release.get();
    }
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
