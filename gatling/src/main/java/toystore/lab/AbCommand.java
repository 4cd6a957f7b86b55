package toystore.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import toystore.lab.report.CommitComparison;
import toystore.lab.report.RunAnalysis;
import toystore.lab.run.BlockRunner;
import toystore.lab.run.CommitFolders;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.run.LauncherSubject;
import toystore.lab.run.StoredRun;
import toystore.lab.stats.SequentialStop;

/// `lab ab`: compares two commits.
@Command(
    name = "ab",
    description = {
      "Compare two commits: is the second one slower?",
      "Each is checked out into a folder below target/ab and built there. Then blocks of a fresh"
          + " start of each commit follow until the intervals are narrow enough or the time is"
          + " over; 25 minutes resolve a difference of about 10 %%. The last output is a summary"
          + " in Markdown."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:No contrast is slower, or the run was too short to tell.",
      "1:An error occurred.",
      "2:An argument is wrong.",
      "3:The second commit is slower."
    })
final class AbCommand implements Callable<Integer> {
  static final int SLOWER = 3;

  private static final int PORT = 9_900;
  private static final int WANTED_BLOCKS = 12;
  private static final double OVERHEAD_SECONDS = 12; // of a start: boot, load client, stop
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Parameters(
      index = "0",
      paramLabel = "COMMIT1",
      description = "The commit to compare with. \".\" is the working tree with its changes.")
  private String first = "";

  @Parameters(index = "1", paramLabel = "COMMIT2", description = "The commit to judge, or \".\".")
  private String second = "";

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "25",
      description = "Time limit of the blocks, without the builds. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(
      names = "--width",
      paramLabel = "SHARE",
      defaultValue = "0.10",
      description =
          "Stop when each interval lies within this share of its ratio. Default: ${DEFAULT-VALUE}.")
  private double width;

  @Option(
      names = "--results",
      paramLabel = "FOLDER",
      defaultValue = "gatling/target/results",
      description = "Where results are written. Default: ${DEFAULT-VALUE}.")
  private Path results = Path.of("");

  @Override
  public Integer call() throws IOException, InterruptedException {
    ExperimentPlan plan = Experiments.plan("ab").withStartSeconds(startSeconds());
    try (var commits = new CommitFolders(Path.of(""))) {
      CommitFolders.CommitFolder before = commits.checkOut(first);
      CommitFolders.CommitFolder after = commits.checkOut(second);
      StoredRun run =
          StoredRun.open(results.resolve("ab-" + TIME.format(LocalDateTime.now())), plan);
      run.note(Map.of("before", before.label(), "after", after.label()));
      List<LauncherSubject> subjects = List.of(built("before", before), built("after", after));
      return compare(plan, run, subjects);
    }
  }

  /// Short runs have short starts, so that they have enough blocks for a verdict.
  private double startSeconds() {
    return Math.clamp(minutes * 60 / WANTED_BLOCKS / 2 - OVERHEAD_SECONDS, 8, 30);
  }

  /// The first start builds the commit.
  private static LauncherSubject built(String name, CommitFolders.CommitFolder commit)
      throws IOException, InterruptedException {
    System.out.printf("%s: %s; build and first start%n", name, commit.label());
    var subject = new LauncherSubject(name, commit.label(), commit.folder(), PORT, List.of());
    Path folder = Files.createTempDirectory("toystore-ab-");
    subject.start(folder).close();
    Files.delete(folder.resolve("catalog.csv"));
    Files.delete(folder);
    return subject;
  }

  private int compare(ExperimentPlan plan, StoredRun run, List<LauncherSubject> subjects)
      throws IOException, InterruptedException {
    var stop = new SequentialStop(width, Duration.ofMillis((long) (minutes * 60_000)));
    long begin = System.nanoTime();
    new BlockRunner(plan, List.copyOf(subjects), run, System.out::println)
        .run(_ -> decision(run, stop, begin) == SequentialStop.Decision.CONTINUE);
    var comparison = new CommitComparison(new RunAnalysis(plan, run.rows()));
    String course =
        "%d blocks in %.0f minutes; %s."
            .formatted(
                comparison.analysis().blocks(),
                elapsed(begin).toSeconds() / 60.0,
                decision(run, stop, begin) == SequentialStop.Decision.NARROW_ENOUGH
                    ? "the intervals are as narrow as asked"
                    : "the time is over");
    String summary =
        comparison.markdown(
            subjects.getFirst().description(), subjects.getLast().description(), course);
    Path file = run.folder().resolve("summary.md");
    Files.writeString(file, summary);
    System.out.printf("%n%s%n%s%n", summary, file.toAbsolutePath());
    return comparison.isSlower() ? SLOWER : 0;
  }

  private static SequentialStop.Decision decision(StoredRun run, SequentialStop stop, long begin)
      throws IOException {
    return new CommitComparison(new RunAnalysis(run.plan(), run.rows()))
        .decide(stop, elapsed(begin));
  }

  private static Duration elapsed(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
