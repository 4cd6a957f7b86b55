package toystore.cli;

import java.util.Locale;
import picocli.CommandLine.Option;

/// `--yes`, as each command has it that asks the person at the terminal first.
final class YesOption {
  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  /// Whether the answer is yes. No terminal to ask at: refused, since nobody agreed.
  boolean agrees(String question) {
    if (yes) {
      return true;
    }
    var console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new CommandRefused(
          "cannot ask for confirmation without a terminal; use --yes to confirm");
    }
    var answer = console.readLine("%s [y/N] ", question);
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
  }
}
