package toystore.platform.idempotency;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A command that is carried out once for its idempotency key, if it has one.
///
/// @param <D> decides the commands of a batch
/// @param <T> what the command makes or changes
public interface KeyedCommand<D, T> {
  /// Decides this command against the published state and the changes of the batch.
  ///
  /// @param key of the request; null: it has none
  Answer<T> decide(D decider, @Nullable RequestKey key, Instant now);

  /// The values of the request, for its [RequestHash]. Requests with equal values are the same
  /// request.
  default List<Object> values() {
    throw new IllegalStateException("a command without an idempotency key: " + this);
  }

  /// How long the answer to a key is kept if the command was carried out.
  default Retention retention() {
    return Retention.FOREVER;
  }

  /// How long an answer is kept.
  enum Retention {
    FOREVER,
    /// A repeat must not make the change again, but nobody asks for it later.
    ONE_DAY,
    /// A later command decides the answer to the key, see [BatchIdempotency#keep].
    LATER
  }
}
