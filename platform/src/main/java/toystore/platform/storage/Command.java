package toystore.platform.storage;

/// A command to a [SingleWriter].
///
/// @param <D> decides the commands of a batch
/// @param <R> the answer; a refusal is also an answer
public interface Command<D, R> {
  /// Decides this command against the published state and the changes of the batch. Changes nothing
  /// outside the batch.
  R decide(D decider);
}
