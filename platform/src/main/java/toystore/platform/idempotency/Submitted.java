package toystore.platform.idempotency;

import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import toystore.platform.storage.Command;
import toystore.platform.storage.RowReadException;

/// A command with what its caller said about it.
///
/// @param key null: a repeat is carried out again
/// @param hash of the request's values; empty without a key
/// @param decideBy time after which it is not carried out; null: none
/// @param cancelled whether the caller no longer waits
public record Submitted<D extends KeyedDecider, T>(
    KeyedCommand<D, T> command,
    @Nullable RequestKey key,
    byte[] hash,
    @Nullable Instant decideBy,
    BooleanSupplier cancelled)
    implements Command<D, Answer<T>> {
  private static final byte[] NO_HASH = {};

  public Submitted(
      KeyedCommand<D, T> command,
      @Nullable RequestKey key,
      @Nullable Instant decideBy,
      BooleanSupplier cancelled) {
    this(
        command,
        key,
        key == null ? NO_HASH : RequestHash.of(command.values()),
        decideBy,
        cancelled);
  }

  /// A command of the service itself.
  public Submitted(KeyedCommand<D, T> command) {
    this(command, null, null, () -> false);
  }

  boolean isTooLate(Instant now) {
    return cancelled.getAsBoolean() || (decideBy != null && now.isAfter(decideBy));
  }

  @Override
  public Answer<T> decide(D decider) {
    return RowReadException.unchecked(() -> decider.keys().answer(this, decider));
  }
}
