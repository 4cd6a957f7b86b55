package toystore.catalog;

import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import toystore.platform.idempotency.RequestHash;
import toystore.platform.idempotency.RequestKey;

/// A queued command with its key and deadline.
///
/// @param key null if a repeat is harmless
/// @param hash SHA-256 of the request's values, to tell a repeat from a different request
/// @param decideBy time after which it is not carried out; null: none
/// @param cancelled whether the caller no longer waits
record PendingCommand(
    Command command,
    @Nullable RequestKey key,
    byte[] hash,
    @Nullable Instant decideBy,
    BooleanSupplier cancelled) {
  PendingCommand(
      Command command,
      @Nullable RequestKey key,
      @Nullable Instant decideBy,
      BooleanSupplier cancelled) {
    this(
        command,
        key,
        key == null ? new byte[0] : RequestHash.of(command.values()),
        decideBy,
        cancelled);
  }

  /// A command without a key and a deadline.
  static PendingCommand of(Command command) {
    return new PendingCommand(command, null, null, () -> false);
  }
}
