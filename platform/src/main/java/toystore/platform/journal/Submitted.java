package toystore.platform.journal;

import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.platform.storage.Command;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.RowReadException;

/// A command with what its caller said about it.
///
/// @param key null: a repeat is carried out again
/// @param hash of the request's values; empty without a key
/// @param decideBy time after which it is not carried out; null: none
/// @param cancelled whether the caller no longer waits
public record Submitted<U extends KeyedUnitOfWork, T>(
    KeyedCommand<U, T> command,
    @Nullable RequestKey key,
    byte[] hash,
    @Nullable Instant decideBy,
    BooleanSupplier cancelled)
    implements Command<U, Answer<T>> {
  private static final Logger log = LoggerFactory.getLogger(Submitted.class);
  private static final byte[] NO_HASH = {};

  public Submitted(
      KeyedCommand<U, T> command,
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
  public Submitted(KeyedCommand<U, T> command) {
    this(command, null, null, () -> false);
  }

  @Override
  public Answer<T> decide(U unit) {
    Instant now = unit.now();
    if (cancelled.getAsBoolean() || (decideBy != null && now.isAfter(decideBy))) {
      return new Answer.NotDecided<>(Answer.Cause.TOO_LATE);
    }
    var context = new CommandContext(key, now, null);
    try {
      return key == null
          ? command.decide(unit, context)
          : RowReadException.unchecked(() -> unit.journal().answer(this, key, unit, context));
    } catch (CorruptDataException e) { // affects only this command; the others continue
      log.error("{}", e.getMessage());
      return new Answer.NotDecided<>(Answer.Cause.DAMAGED);
    }
  }
}
