package toystore.cli;

/// A plain reason to end: one line on stderr and an exit code. Nothing was changed.
final class CommandRefused extends RuntimeException {
  private final int exitCode;

  private CommandRefused(int exitCode, String line) {
    super(line);
    this.exitCode = exitCode;
  }

  /// The world does not allow it (a busy port, a bad line in a file): exit code 1.
  CommandRefused(String line) {
    this(1, line);
  }

  /// The command line is wrong: exit code 2.
  static CommandRefused usage(String line) {
    return new CommandRefused(2, line);
  }

  int exitCode() {
    return exitCode;
  }
}
