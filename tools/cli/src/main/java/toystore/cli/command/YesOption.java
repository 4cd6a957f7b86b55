package toystore.cli.command;

import java.io.Console;
import java.util.Locale;
import picocli.CommandLine.Option;

/// The option `--yes` of commands that ask for confirmation.
public final class YesOption {
  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  /// Refuses the command without the option, where nothing can be asked.
  ///
  /// @param reason why not
  public void require(String reason) {
    if (!yes) {
      throw CommandRefusal.usage(reason);
    }
  }

  /// Whether the user confirms. Without a terminal the command is refused.
  public boolean confirms(String question) {
    if (yes) {
      return true;
    }
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new CommandRefusal(
          "cannot ask for confirmation without a terminal; use --yes to confirm");
    }
    String answer = console.readLine("%s [y/N] ", question);
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
  }
}
