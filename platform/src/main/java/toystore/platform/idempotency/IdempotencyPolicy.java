package toystore.platform.idempotency;

/// Defines which answers of a service are stored and how a repeat is answered. Any thread.
public interface IdempotencyPolicy<A> {
  /// How long an answer is kept.
  enum Retention {
    /// The request was carried out; a repeat always gets this answer.
    FOREVER,
    /// A change that a repeat must not make again, but whose answer is of no use for long; kept for
    /// a day.
    CHANGE_ONE_DAY,
    /// A refusal; kept for a day, and only if the client may repeat the request.
    REFUSAL_ONE_DAY,
    /// The answer does not depend on the request itself, for example because a deadline was
    /// exceeded; not kept.
    NONE
  }

  Retention retention(A answer);

  /// The answer to a repeat.
  A replayed(A answer);

  /// The answer if the key was used for a different request.
  A keyReused();
}
