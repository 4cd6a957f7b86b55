package toystore.account;

import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import toystore.platform.idempotency.RequestHash;
import toystore.platform.idempotency.RequestKey;

/// A queued command with its key and deadline.
///
/// @param key null if a repeat is harmless
/// @param hash of the request's values; empty without a key
/// @param decideBy time after which it is not carried out; null: none
/// @param cancelled whether the caller no longer waits
record PendingAccountCommand(
    AccountCommand command,
    @Nullable RequestKey key,
    byte[] hash,
    @Nullable Instant decideBy,
    BooleanSupplier cancelled) {
  PendingAccountCommand(
      AccountCommand command,
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
  static PendingAccountCommand of(AccountCommand command) {
    return new PendingAccountCommand(command, null, null, () -> false);
  }
}
