package toystore.platform.idempotency;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Idempotency records of one batch. Two commands with the same key in one batch get the same
/// answer. The batch writes these records in the same transaction as the changes. One thread.
public final class BatchIdempotency<A> {
  /// How long a refusal, or the answer to a change that needs no permanent record, is kept.
  public static final Duration ANSWER_RETENTION = Duration.ofHours(24);

  private final IdempotencyPolicy<A> codec;
  private final Map<String, IdempotencyRecord<A>> records = new LinkedHashMap<>();

  public BatchIdempotency(IdempotencyPolicy<A> codec) {
    this.codec = codec;
  }

  /// Returns the record of a key in this batch, or null.
  public @Nullable IdempotencyRecord<A> find(RequestKey key) {
    return records.get(key.stored());
  }

  /// Returns the record of a key in this batch or on disk, or null.
  ///
  /// @param key null if the request has none
  public @Nullable IdempotencyRecord<A> find(@Nullable RequestKey key, IdempotencyRecords<A> stored)
      throws SQLException {
    if (key == null) {
      return null;
    }
    IdempotencyRecord<A> inBatch = find(key);
    return inBatch == null ? stored.find(key) : inBatch;
  }

  /// Like [#find(RequestKey, IdempotencyRecords)], but a key that the client did not make is
  /// assumed to be new and not looked up on disk. After the decision, call [#requireNew].
  public @Nullable IdempotencyRecord<A> findOrAssumeNew(
      @Nullable RequestKey key, IdempotencyRecords<A> stored) throws SQLException {
    return key != null && stored.isAssumedNew(key) ? find(key) : find(key, stored);
  }

  /// Checks the assumption of [#findOrAssumeNew] after the decision. If the key has a record in
  /// this batch, its insert will fail unless the key is new; otherwise the key is looked up now.
  ///
  /// @throws toystore.platform.storage.DecideAgainException if the key is not new
  public void requireNew(@Nullable RequestKey key, IdempotencyRecords<A> stored)
      throws SQLException {
    if (key != null && stored.isAssumedNew(key) && find(key) == null) {
      stored.requireNew(key);
    }
  }

  /// Answers a request: with the stored answer if the key is known, otherwise with a new decision.
  ///
  /// @param hash of the request
  /// @param known record of the key in this batch or on disk
  public A answer(
      RequestKey key,
      byte[] hash,
      @Nullable IdempotencyRecord<A> known,
      Instant now,
      Supplier<A> decision) {
    if (known != null) {
      return Arrays.equals(hash, known.hash()) ? codec.replayed(known.answer()) : codec.keyReused();
    }
    A answer = decision.get();
    switch (codec.retention(answer)) {
      case FOREVER -> keep(key, hash, answer, null);
      case CHANGE_ONE_DAY -> keep(key, hash, answer, now.plus(ANSWER_RETENTION));
      case REFUSAL_ONE_DAY -> {
        if (key.clientMade()) {
          keep(key, hash, answer, now.plus(ANSWER_RETENTION));
        }
      }
      case NONE -> {}
    }
    return answer;
  }

  private void keep(RequestKey key, byte[] hash, A answer, @Nullable Instant until) {
    records.put(key.stored(), new IdempotencyRecord<>(key.stored(), hash, answer, until));
  }

  /// The records to write.
  public Collection<IdempotencyRecord<A>> records() {
    return records.values();
  }
}
