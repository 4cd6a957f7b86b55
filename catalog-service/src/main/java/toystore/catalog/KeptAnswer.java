package toystore.catalog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a key was answered, kept in the commit that decided it.
///
/// @param key as [Key#stored] gives it
/// @param hash of the request
/// @param answer sold, changed or refused
/// @param until when it may be forgotten; null: never
record KeptAnswer(String key, byte[] hash, Answer answer, @Nullable Instant until) {}
