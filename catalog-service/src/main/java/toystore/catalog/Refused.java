package toystore.catalog;

/// Nothing was done, and why.
record Refused(Reason reason, String message, boolean replayed) implements Answer {
  Refused(Reason reason, String message) {
    this(reason, message, false);
  }
}
