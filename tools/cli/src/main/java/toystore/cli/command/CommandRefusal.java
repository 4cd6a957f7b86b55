package toystore.cli.command;

import java.util.Locale;

/// The command cannot be executed and has changed nothing, unless the message says otherwise. It is
/// printed as one line on stderr. A message with values is a format.
public final class CommandRefusal extends RuntimeException {
  private final int exitCode;
  private final boolean showsHelp;

  private CommandRefusal(int exitCode, boolean showsHelp, String line, Object... values) {
    super(values.length == 0 ? line : String.format(Locale.ROOT, line, values));
    this.exitCode = exitCode;
    this.showsHelp = showsHelp;
  }

  /// Not possible now, such as a busy port or an invalid file: exit code 1.
  public CommandRefusal(String line, Object... values) {
    this(1, false, line, values);
  }

  /// The command line is invalid: exit code 2.
  public static CommandRefusal usage(String line, Object... values) {
    return new CommandRefusal(2, true, line, values);
  }

  /// The command line would be valid at a terminal: exit code 2.
  public static CommandRefusal noTerminal(String line) {
    return new CommandRefusal(2, false, line);
  }

  /// The shop cannot be reached, or whether it did what was asked is unknown: exit code 3.
  public static CommandRefusal unavailable(String line, Object... values) {
    return new CommandRefusal(3, false, line, values);
  }

  /// Refuses a command line with a number that is out of range.
  public static void requireRange(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw usage("%s must be from %d to %d; got %d", option, least, most, value);
    }
  }

  /// Whether the line is followed by where to find the options.
  boolean showsHelp() {
    return showsHelp;
  }

  public int exitCode() {
    return exitCode;
  }
}
