package toystore.catalog;

/// Nothing was done, and why.
record Refused(RefusalReason reason, String message, boolean replayed) implements CommandResult {
  Refused(RefusalReason reason, String message) {
    this(reason, message, false);
  }
}
