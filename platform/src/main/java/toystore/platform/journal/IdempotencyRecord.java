package toystore.platform.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The stored answer to an idempotency key, written in the commit that decided it.
///
/// @param key see [RequestKey#stored]
/// @param hash of the request
/// @param until time after which the record may be deleted; null: never
public record IdempotencyRecord(
    String key, byte[] hash, Answer<?> answer, @Nullable Instant until) {}
