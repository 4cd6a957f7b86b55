package toystore.catalog;

import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import toystore.platform.idempotency.RequestHash;
import toystore.platform.idempotency.RequestKey;

/// A command as it waits for the till.
///
/// @param key null where a repeat does no harm
/// @param hash SHA-256 of the values it asks for, to tell a repeat from another request
/// @param decideBy the moment past which it is not carried out; null: none
/// @param cancelled whether nobody waits for its answer any more
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

  /// For one that is waited for as long as it takes.
  static PendingCommand of(Command command) {
    return new PendingCommand(command, null, null, () -> false);
  }
}
