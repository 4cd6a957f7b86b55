package toystore.catalog;

import java.util.Locale;

/// The command was refused and changed nothing.
record Refused(RefusalReason reason, String message, boolean replayed) implements CommandResult {
  Refused(RefusalReason reason, String message) {
    this(reason, message, false);
  }

  /// @param format of the message, see [String#format]
  static Refused because(RefusalReason reason, String format, Object... values) {
    return new Refused(reason, String.format(Locale.ROOT, format, values));
  }
}
