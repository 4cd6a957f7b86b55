package toystore.cli;

import java.util.List;

/// The command cannot be executed and has changed nothing, unless the message says otherwise. It is
/// printed as one line on stderr.
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

  /// The shop cannot be reached, or whether it did what was asked is unknown: exit code 3.
  static CommandRefused unavailable(String line) {
    return new CommandRefused(3, line);
  }

  /// Refuses a command line with an unknown name and lists the known names.
  ///
  /// @param what the names of, such as `trial`
  static void requireKnown(String what, List<String> given, List<String> known) {
    for (var name : given) {
      if (!known.contains(name)) {
        throw usage(
            "unknown %s: %s; available: %s".formatted(what, name, String.join(", ", known)));
      }
    }
  }

  int exitCode() {
    return exitCode;
  }
}
