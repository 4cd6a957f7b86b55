package toystore.platform.idempotency;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a key was answered, kept in the commit that decided it.
///
/// @param key as [RequestKey#stored] gives it
/// @param hash of the request
/// @param until when it may be forgotten; null: never
public record IdempotencyRecord<A>(String key, byte[] hash, A answer, @Nullable Instant until) {}
