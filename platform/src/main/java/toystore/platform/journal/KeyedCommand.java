package toystore.platform.journal;

import java.util.List;

/// A command that is carried out once for its idempotency key, if it has one.
///
/// @param <U> the unit of work against which it is decided
/// @param <T> what the command makes or changes
public interface KeyedCommand<U extends KeyedUnitOfWork, T> {
  /// Decides this command and records its changes in the unit of work. A refused command leaves
  /// none.
  Answer<T> decide(U unit, CommandContext context);

  /// The values of the request, for its [RequestHash]. Requests with equal values are the same
  /// request.
  default List<Object> values() {
    throw new IllegalStateException("a command without an idempotency key: " + this);
  }

  /// The answer to a repeat.
  ///
  /// @param stored the answer that was kept
  default Answer<T> repeated(U unit, Answer<T> stored) {
    return stored.again();
  }

  /// How long the answer to a key is kept if the command was carried out.
  default Retention retention() {
    return Retention.FOREVER;
  }

  enum Retention {
    FOREVER,
    /// A repeat must not make the change again, but nobody asks for it later.
    ONE_DAY,
    /// A later command decides the answer to the key, see [KeyJournal#keep].
    LATER
  }
}
