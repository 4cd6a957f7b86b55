package toystore.account;

/// The result of a command. `replayed` marks the stored answer of a known key.
sealed interface AccountResult {
  record Registered(long accountId, boolean replayed) implements AccountResult {}

  record SessionOpened(Session session) implements AccountResult {}

  record SessionEnded(Session session) implements AccountResult {}

  record FeedbackGiven(boolean replayed) implements AccountResult {}

  /// Background work was carried out.
  record Done() implements AccountResult {}

  /// The command was refused and changed nothing.
  record RefusedRequest(Reason reason, String message, boolean replayed) implements AccountResult {
    RefusedRequest(Reason reason, String message) {
      this(reason, message, false);
    }
  }

  /// Why a command is refused. The names are stored on disk.
  enum Reason {
    USERNAME_TAKEN,
    SESSION_UNKNOWN,
    SELLER_NOT_FOUND,
    BUYER_NOT_FOUND,
    /// The item has a different owner.
    OTHER_SELLER,
    /// The key was already used for a different request.
    KEY_REUSED,
    /// The deadline `decideBy` passed, or the caller cancelled.
    TOO_LATE,
    /// A stored row that the decision needs is damaged.
    DAMAGED
  }
}
