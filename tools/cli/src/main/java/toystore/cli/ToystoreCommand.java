package toystore.cli;

import static java.util.Objects.requireNonNull;
import static toystore.common.RootLocale.format;

import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import toystore.cli.command.CommandLines;
import toystore.cli.command.CommandRefusal;
import toystore.cli.console.Console;
import toystore.cli.data.BackupCommand;
import toystore.cli.data.ImportCommand;
import toystore.cli.data.MoveCommand;
import toystore.cli.data.RestoreCommand;
import toystore.cli.launch.BenchmarkCommand;
import toystore.cli.launch.LabCommand;
import toystore.cli.launch.StatusCommand;
import toystore.cli.launch.TortureCommand;
import toystore.cli.launch.UpCommand;
import toystore.cli.load.LoadCommand;
import toystore.cli.load.TrainCommand;
import toystore.cli.shop.ExchangeClientCommand;
import toystore.cli.shop.ShopCommand;

/// The program behind `./toystore`: the list of its commands.
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
      BackupCommand.class,
      RestoreCommand.class,
      MoveCommand.class,
      ImportCommand.class,
      ShopCommand.class,
      ExchangeClientCommand.class,
      LoadCommand.class,
      LabCommand.class,
      BenchmarkCommand.class,
      TortureCommand.class,
      TrainCommand.class,
      HelpCommand.class,
      GenerateCompletion.class
    })
public final class ToystoreCommand implements Runnable {
  /// The version of the build and the Java version that runs it.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String built = ToystoreCommand.class.getPackage().getImplementationVersion();
      return new String[] {
        format("toystore %s, Java %s", built == null ? "(not packaged)" : built, Runtime.version())
      };
    }
  }

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  public static CommandLine commandLine() {
    var line = new CommandLine(new ToystoreCommand());
    addCommands(requireNonNull(line.getSubcommands().get("exchange")));
    UpCommand up = requireNonNull(line.getSubcommands().get("up")).getCommand();
    up.setConsole(Console::new);
    return CommandLines.configure(line);
  }

  /// Adds the load, the help and the methods of `exchange`, which itself knows no load.
  public static CommandLine addCommands(CommandLine exchange) {
    exchange.addSubcommand(new LoadCommand()).addSubcommand(new HelpCommand());
    exchange.getCommandSpec().addMethodSubcommands(exchange.getFactory());
    return exchange;
  }

  /// A missing command is an invalid command line: the list of commands is printed.
  @Override
  public void run() {
    throw CommandRefusal.usage("no command given");
  }
}
