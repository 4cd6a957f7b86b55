package toystore.exchange;

import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import toystore.platform.idempotency.RequestHash;
import toystore.platform.idempotency.RequestKey;

/// A queued command with its key and deadline.
///
/// @param key null: a repeat is carried out again
/// @param hash of the request's values; empty without a key
/// @param decideBy time after which it is not carried out; null: none
/// @param cancelled whether the caller no longer waits
public record PendingExchangeCommand(
    ExchangeCommand command,
    @Nullable RequestKey key,
    byte[] hash,
    @Nullable Instant decideBy,
    BooleanSupplier cancelled) {
  private static final byte[] NO_HASH = new byte[0];
  private static final BooleanSupplier NEVER = () -> false;

  /// A command with a key.
  static PendingExchangeCommand of(
      ExchangeCommand.Keyable command,
      RequestKey key,
      @Nullable Instant decideBy,
      BooleanSupplier cancelled) {
    return new PendingExchangeCommand(
        command, key, RequestHash.of(command.values()), decideBy, cancelled);
  }

  /// A command without a key.
  public static PendingExchangeCommand of(
      ExchangeCommand command, @Nullable Instant decideBy, BooleanSupplier cancelled) {
    return new PendingExchangeCommand(command, null, NO_HASH, decideBy, cancelled);
  }

  /// A command without a key and a deadline.
  public static PendingExchangeCommand of(ExchangeCommand command) {
    return of(command, null, NEVER);
  }
}
