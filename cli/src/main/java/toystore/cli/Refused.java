package toystore.cli;

/// A plain reason to end: one line on stderr and an exit code. Nothing was changed.
final class Refused extends RuntimeException {
  private final int exitCode;

  private Refused(int exitCode, String line) {
    super(line);
    this.exitCode = exitCode;
  }

  /// The world does not allow it (a busy port, a bad line in a file): exit code 1.
  Refused(String line) {
    this(1, line);
  }

  /// The command line is wrong: exit code 2.
  static Refused usage(String line) {
    return new Refused(2, line);
  }

  int exitCode() {
    return exitCode;
  }
}
