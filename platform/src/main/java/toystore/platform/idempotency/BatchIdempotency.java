package toystore.platform.idempotency;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What one batch has answered its keys: two commands with one key in one batch get one answer. The
/// batch writes these records with what they tell of. One thread.
public final class BatchIdempotency<A> {
  /// How long a refusal is kept.
  public static final Duration REFUSALS_KEPT = Duration.ofHours(24);

  private final ResponseCodec<A> repeatable;
  private final Map<String, IdempotencyRecord<A>> records = new LinkedHashMap<>();

  public BatchIdempotency(ResponseCodec<A> repeatable) {
    this.repeatable = repeatable;
  }

  /// What this batch has answered a key; null: nothing.
  public @Nullable IdempotencyRecord<A> find(RequestKey key) {
    return records.get(key.stored());
  }

  /// Answers a request: as before where its key is known, else as it is decided now.
  ///
  /// @param hash of what it asks for
  /// @param known what its key was answered before, in this batch or on disk
  public A answer(
      RequestKey key,
      byte[] hash,
      @Nullable IdempotencyRecord<A> known,
      Instant now,
      Supplier<A> decision) {
    if (known != null) {
      return Arrays.equals(hash, known.hash())
          ? repeatable.replayed(known.answer())
          : repeatable.reused();
    }
    A answer = decision.get();
    switch (repeatable.keeping(answer)) {
      case FOR_EVER -> keep(key, hash, answer, null);
      case A_DAY -> {
        if (key.clientMade()) {
          keep(key, hash, answer, now.plus(REFUSALS_KEPT));
        }
      }
      case NOT -> {}
    }
    return answer;
  }

  private void keep(RequestKey key, byte[] hash, A answer, @Nullable Instant until) {
    records.put(key.stored(), new IdempotencyRecord<>(key.stored(), hash, answer, until));
  }

  /// What is to be kept.
  public Collection<IdempotencyRecord<A>> records() {
    return records.values();
  }
}
