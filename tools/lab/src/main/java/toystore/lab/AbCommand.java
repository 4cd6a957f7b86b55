package toystore.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import toystore.lab.run.BlockRunner;
import toystore.lab.run.CommitFolders;
import toystore.lab.run.CommitFolders.CommitFolder;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.run.StoredRun;
import toystore.lab.run.Subject;

/// `lab ab`: compares two commits.
@Command(
    name = "ab",
    description = {
      "Compare two commits: is the second one slower?",
      "Each is checked out into a folder below target/ab and built there. Then blocks of a fresh"
          + " start of each commit follow until the intervals are narrow enough or the time is"
          + " over; 25 minutes resolve a difference of about 10 %% with one client on a quiet"
          + " machine. The last output is a summary in Markdown. Needs python3 >= 3.9."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:No contrast is slower, or the run was too short to tell.",
      "1:An error occurred.",
      "2:An argument is wrong.",
      "3:The second commit is slower."
    })
final class AbCommand implements Callable<Integer> {
  private static final int ANOTHER_BLOCK = 4;
  private static final int WANTED_BLOCKS = 10;
  private static final double OVERHEAD_SECONDS = 12; // of a start: boot, load client, stop

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

  @Mixin private ResultsOption results = new ResultsOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Analysis.require();
    ExperimentPlan plan = Experiments.plan("ab").withStartSeconds(startSeconds());
    try (var commits = new CommitFolders(Path.of(""))) {
      CommitFolder before = commits.checkOut(first);
      CommitFolder after = commits.checkOut(second);
      StoredRun run = results.create(plan);
      run.note(Map.of("before", before.label(), "after", after.label()));
      return compare(run, before, after);
    }
  }

  /// Short runs have short starts, so that they have enough blocks for a verdict. Their stores are
  /// still warming up, which the summary states.
  private double startSeconds() {
    return Math.clamp(minutes * 60 / WANTED_BLOCKS / 2 - OVERHEAD_SECONDS, 8, 63);
  }

  /// The first start builds the commit.
  private static Subject build(String name, CommitFolder commit)
      throws IOException, InterruptedException {
    System.out.printf(Locale.ROOT, "%s: %s; build and first start%n", name, commit.label());
    Subject subject = Experiments.subject(name, commit.folder());
    Path folder = Files.createTempDirectory("toystore-ab-");
    subject.start(folder).close();
    FileUtils.deleteDirectory(folder.toFile());
    return subject;
  }

  private int compare(StoredRun run, CommitFolder before, CommitFolder after)
      throws IOException, InterruptedException {
    List<Subject> subjects = List.of(build("before", before), build("after", after));
    var measurement = StartCommand.inProcesses(run);
    var runner = new BlockRunner(run.plan(), subjects, run, measurement, System.out::println);
    long begin = System.nanoTime();
    int blocks = 0;
    int exitCode;
    do {
      runner.run(++blocks);
      exitCode =
          Analysis.run(
              "ab",
              run.folder().toString(),
              "--width=" + width,
              "--minutes=" + minutes,
              "--elapsed=" + (System.nanoTime() - begin) / 1e9);
    } while (exitCode == ANOTHER_BLOCK);
    return exitCode;
  }
}
