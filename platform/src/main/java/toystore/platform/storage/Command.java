package toystore.platform.storage;

/// A command to a [SingleWriter].
///
/// @param <U> the unit of work against which it is decided
/// @param <R> the answer; a refusal is also an answer
public interface Command<U, R> {
  /// Decides this command. Changes nothing outside the unit of work.
  R decide(U unit);
}
