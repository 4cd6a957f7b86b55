package toystore.cli.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Command lines with help for each of their commands and with our messages.
///
/// Exit codes: 0 success; 1 refused or failed, with the reason in one line on stderr; 2 invalid
/// command line; 3 from `shop` and `exchange` alone.
public final class CommandLines {
  private static final OptionSpec HELP =
      OptionSpec.builder("-h", "--help")
          .usageHelp(true)
          .description("Show this help message and exit.")
          .build();

  private CommandLines() {}

  /// @param line the command line of a command with all its commands
  public static CommandLine configure(CommandLine line) {
    addHelp(line);
    return line.setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(CommandLines::parameterError)
        .registerConverter(BigDecimal.class, AmountText::parse)
        .setExecutionExceptionHandler(CommandLines::executionError);
  }

  private static void addHelp(CommandLine line) {
    for (CommandLine command : line.getSubcommands().values()) {
      if (command.getCommandSpec().findOption("--help") == null) {
        command.getCommandSpec().addOption(HELP);
      }
      addHelp(command);
    }
  }

  private static int parameterError(ParameterException wrong, String[] arguments) {
    CommandLine line = wrong.getCommandLine();
    if (wrong instanceof UnmatchedArgumentException unmatched && !line.getSubcommands().isEmpty()) {
      String first = unmatched.getUnmatched().getFirst();
      return usage(
          line, (first.startsWith("-") ? "unknown option: " : "unknown command: ") + first);
    }
    return usage(line, firstLine(wrong.getMessage()));
  }

  private static int executionError(Exception failure, CommandLine line, ParseResult parsed)
      throws Exception {
    if (failure instanceof CommandRefusal refused && refused.showsHelp()) {
      return usage(line, firstLine(refused.getMessage()));
    }
    line.getErr()
        .println(
            switch (failure) {
              case CommandRefusal refused -> refused.getMessage();
              case UncheckedIOException broken -> describe(broken);
              case IOException broken -> describe(broken);
              default -> throw failure; // a bug: print the stack trace
            });
    return failure instanceof CommandRefusal refused ? refused.exitCode() : 1;
  }

  private static int usage(CommandLine line, String reason) {
    line.getErr().println(reason);
    if (line.getParent() == null) {
      line.usage(line.getErr());
    } else {
      String parent = line.getParent().getCommandSpec().qualifiedName() + " ";
      line.getErr()
          .println("For its options: " + parent.stripLeading() + "help " + line.getCommandName());
    }
    return 2;
  }

  /// An I/O failure in one line. The class name is included because the message is often only a
  /// path.
  private static String describe(Exception broken) {
    return broken.getClass().getSimpleName() + ": " + firstLine(broken.getMessage());
  }

  private static String firstLine(@Nullable String text) {
    return text == null ? "" : text.lines().findFirst().orElse("");
  }
}
