package toystore.platform.idempotency;

/// What a service says of its answers, so that they may be kept and given again. Any thread.
public interface ResponseCodec<A> {
  /// What is kept of an answer.
  enum Keeping {
    /// Something was done: a repeat is told so for ever.
    FOR_EVER,
    /// A refusal: for a day, and only where the client may repeat.
    A_DAY,
    /// It says nothing of the request itself, such as that it came too late.
    NOT
  }

  Keeping keeping(A answer);

  /// The answer as a repeat gets it.
  A replayed(A answer);

  /// The answer to a key that was used for another request.
  A reused();
}
