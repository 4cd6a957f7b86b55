package toystore.lab;

import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import toystore.lab.run.OwnProcesses;

/// The lab: `./toystore lab COMMAND`. All options are parsed here; see each command.
@Command(
    name = "./toystore lab",
    description = "Measure stores: run experiments, compare commits.",
    subcommands = {
      RunCommand.class,
      AbCommand.class,
      ReportCommand.class,
      BenchCommand.class,
      EvaluationCommand.class,
      PilotCommand.class,
      ResultsCommand.class,
      CommandLine.HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class LabProgram {
  private LabProgram() {}

  /// Exits with 0, with 1 if the command failed, or with 2 if an argument is wrong.
  public static void main(String[] args) {
    OwnProcesses.stopAtExit();
    System.exit(
        new CommandLine(new LabProgram())
            .setExecutionExceptionHandler((failure, command, _) -> report(failure, command))
            .execute(args));
  }

  /// Prints what a user can act on: without a stack trace, unless it is a defect of the lab.
  private static int report(Exception failure, CommandLine command) throws Exception {
    if (failure instanceof IOException) {
      command.getErr().println(failure.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw failure;
  }
}
