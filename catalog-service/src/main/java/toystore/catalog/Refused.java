package toystore.catalog;

/// The command was refused and changed nothing.
record Refused(RefusalReason reason, String message, boolean replayed) implements CommandResult {
  Refused(RefusalReason reason, String message) {
    this(reason, message, false);
  }
}
