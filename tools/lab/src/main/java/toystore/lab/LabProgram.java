package toystore.lab;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import toystore.clients.BuiltPrograms;
import toystore.lab.run.OwnProcesses;

/// The lab: `./toystore lab COMMAND`. All options are parsed here; short commands are methods.
@Command(
    name = "./toystore lab",
    description = "Measure stores: run experiments, compare commits.",
    subcommands = {
      RunCommand.class,
      AbCommand.class,
      StartCommand.class,
      CommandLine.HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class LabProgram {
  private LabProgram() {}

  /// Exits with 0, with 1 if the command failed, or with 2 if an argument is wrong.
  public static void main(String[] args) {
    // before its arguments are checked: no arguments would help
    if (List.of(args).indexOf("ab") == 0 && BuiltPrograms.lacksSource("lab ab")) {
      System.exit(CommandLine.ExitCode.USAGE);
    }
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
      description =
          "Write the page of each run, and an index of all results. Needs python3 >= 3.9.")
  int report(
      @Parameters(
              arity = "0..*",
              paramLabel = "FOLDER",
              description = "Folders of runs, complete or not. Default: all in target/lab.")
          @Nullable List<String> folders)
      throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of("report"));
    arguments.addAll(folders == null ? List.of() : folders);
    return Analysis.run(arguments.toArray(String[]::new));
  }

  @Command(
      name = "evaluation",
      description = {
        "Write the tables of complete results to docs/evaluation, and docs/evaluation.md and its"
            + " other texts from all tables there. Needs python3 >= 3.9.",
        "Without results, the tables stay as they are."
      })
  int evaluation(@Mixin ResultsOption results) throws IOException, InterruptedException {
    if (BuiltPrograms.lacksSource("lab evaluation")) {
      return CommandLine.ExitCode.USAGE;
    }
    return Analysis.run("evaluation", "--results", results.folder().toString());
  }
}
