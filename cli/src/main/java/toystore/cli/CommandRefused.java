package toystore.cli;

/// The command cannot be executed and has changed nothing. The message is printed as one line on
/// stderr.
final class CommandRefused extends RuntimeException {
  private final int exitCode;

  private CommandRefused(int exitCode, String line) {
    super(line);
    this.exitCode = exitCode;
  }

  /// Not possible now, such as a busy port or an invalid file: exit code 1.
  CommandRefused(String line) {
    this(1, line);
  }

  /// The command line is invalid: exit code 2.
  static CommandRefused usage(String line) {
    return new CommandRefused(2, line);
  }

  int exitCode() {
    return exitCode;
  }
}
