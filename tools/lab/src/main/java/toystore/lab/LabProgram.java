package toystore.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import toystore.lab.report.Evaluation;
import toystore.lab.report.RunReport;
import toystore.lab.run.OwnProcesses;
import toystore.lab.run.StoredRun;

/// The lab: `./toystore lab COMMAND`. All options are parsed here; short commands are methods.
@Command(
    name = "./toystore lab",
    description = "Measure stores: run experiments, compare commits.",
    subcommands = {
      RunCommand.class,
      AbCommand.class,
      BenchCommand.class,
      CommandLine.HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class LabProgram {
  private static final Path RESULTS = Path.of("target/lab");
  private static final Path PUBLISHED = Path.of("docs/evaluation/published.csv");

  private LabProgram() {}

  /// Exits with 0, with 1 if the command failed, or with 2 if an argument is wrong.
  public static void main(String[] args) {
    OwnProcesses.stopAtExit();
    System.setProperty("toystore.programs", "launcher"); // what StoreProcesses starts
    System.exit(
        new CommandLine(new LabProgram())
            .setExecutionExceptionHandler((failure, command, _) -> explain(failure, command))
            .execute(args));
  }

  /// Prints what a user can act on: without a stack trace, unless it is a defect of the lab.
  private static int explain(Exception failure, CommandLine command) throws Exception {
    if (failure instanceof IOException) {
      String prefix = failure instanceof NoSuchFileException ? "no such file: " : "";
      command.getErr().println(prefix + failure.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw failure;
  }

  @Command(
      name = "report",
      description = "Write the page of each run, and an index of all results.")
  void report(
      @Parameters(
              arity = "0..*",
              paramLabel = "FOLDER",
              description = "Folders of runs, complete or not. Default: all in target/lab.")
          @Nullable List<Path> folders)
      throws IOException {
    if (folders == null && Files.notExists(RESULTS)) {
      throw new IOException("no results in " + RESULTS + "; run ./toystore lab run");
    }
    for (Path folder : folders == null ? StoredRun.folders(RESULTS) : folders) {
      System.out.println(RunReport.writePage(folder, PUBLISHED).toAbsolutePath());
      if (StoredRun.read(folder).isTable()) {
        System.out.println(
            "  of results.csv, so without what needs blocks: distributions, costs of each service;"
                + " ./toystore lab run NAME measures again");
      }
    }
    if (folders == null) {
      System.out.println(RunReport.writeIndex(RESULTS).toAbsolutePath());
    }
  }

  @Command(
      name = "evaluation",
      description = {
        "Write the tables of complete results to docs/evaluation, and docs/evaluation.md and its"
            + " other texts from all tables there.",
        "Without results, the tables stay as they are."
      })
  void evaluation(@Mixin ResultsOption results) throws IOException {
    System.out.println("published: " + new Evaluation(Path.of("docs")).publish(results.folder()));
  }
}
