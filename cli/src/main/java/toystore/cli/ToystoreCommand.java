package toystore.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// The program behind `./toystore`: the list of its commands, and how failures are printed.
///
/// Exit codes: 0 success; 1 refused or failed, with the reason in one line on stderr; 2 invalid
/// command line; 3 from `shop` and `exchange` alone.
@Command(
    name = "./toystore",
    description = "Starts, backs up, measures and tests the toy store.",
    mixinStandardHelpOptions = true,
    versionProvider = ToystoreCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = "%nFor the options of a command: ./toystore help COMMAND",
    subcommands = {
      UpCommand.class,
      StatusCommand.class,
      ResetCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      MoveCommand.class,
      ImportCommand.class,
      ShopCommand.class,
      ExchangeCommand.class,
      LoadCommand.class,
      LabCommand.class,
      BenchmarkCommand.class,
      TortureCommand.class,
      TrainCommand.class,
      HelpCommand.class,
      GenerateCompletion.class
    })
final class ToystoreCommand implements Runnable {
  private static final String UNDECODED = "\uFFFD";
  private static final OptionSpec HELP =
      OptionSpec.builder("-h", "--help")
          .usageHelp(true)
          .description("Show this help message and exit.")
          .build();

  /// The version of the build and the Java version that runs it.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      var built = ToystoreCommand.class.getPackage().getImplementationVersion();
      return new String[] {
        String.format(
            Locale.ROOT,
            "toystore %s, Java %s",
            built == null ? "(not packaged)" : built,
            Runtime.version())
      };
    }
  }

  public static void main(String[] arguments) {
    var garbled = garbled(arguments);
    if (garbled.isPresent()) {
      System.err.println(garbled.get());
      System.exit(1);
    }
    System.exit(commandLine().execute(arguments));
  }

  /// A message about the first name that Java could not decode: the bytes are not in the charset of
  /// the locale, such as those of an umlaut in C. It cannot find a file by such a name.
  private static Optional<String> garbled(String... arguments) {
    var names = new LinkedHashMap<String, String>();
    names.put("the project's folder", System.getProperty("toystore.home", ""));
    names.put("the current folder", System.getProperty("user.dir", ""));
    for (var argument : arguments) {
      names.put("argument " + (names.size() - 1), argument);
    }
    return names.entrySet().stream()
        .filter(it -> it.getValue().contains(UNDECODED))
        .findFirst()
        .map(it ->
            it.getKey()
                + " must be in the locale's charset, "
                + System.getProperty("sun.jnu.encoding")
                + "; got "
                + it.getValue().replace(UNDECODED, "?")
                + "; set LC_ALL=C.UTF-8");
  }

  static CommandLine commandLine() {
    return commandLine(new ToystoreCommand());
  }

  /// The command line of a command, with help for each of its commands and with our messages.
  static CommandLine commandLine(Object command) {
    var line =
        new CommandLine(command)
            .setUsageHelpAutoWidth(true)
            .setParameterExceptionHandler(ToystoreCommand::parameterError)
            .registerConverter(BigDecimal.class, Amounts::parse)
            .setExecutionExceptionHandler(ToystoreCommand::executionError);
    addHelp(line);
    return line;
  }

  private static void addHelp(CommandLine line) {
    for (var command : line.getSubcommands().values()) {
      if (command.getCommandSpec().findOption("--help") == null) {
        command.getCommandSpec().addOption(HELP);
      }
      addHelp(command);
    }
  }

  /// A missing command is an invalid command line: the list of commands is printed.
  @Override
  public void run() {
    throw CommandRefusal.usage("no command given");
  }

  private static int parameterError(ParameterException wrong, String[] arguments) {
    var line = wrong.getCommandLine();
    if (wrong instanceof UnmatchedArgumentException unmatched && hasCommands(line)) {
      var first = unmatched.getUnmatched().getFirst();
      return usage(
          line, (first.startsWith("-") ? "unknown option: " : "unknown command: ") + first);
    }
    return usage(line, firstLine(wrong.getMessage()));
  }

  private static boolean hasCommands(CommandLine line) {
    return !line.getSubcommands().isEmpty();
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
      var parent = line.getParent().getCommandSpec().qualifiedName() + " ";
      line.getErr()
          .println(
              String.format(
                  Locale.ROOT,
                  "For its options: %shelp %s",
                  parent.stripLeading(),
                  line.getCommandName()));
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
