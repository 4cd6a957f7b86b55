package toystore.platform.idempotency;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.platform.storage.CorruptDataException;

/// Decides each request of a batch once: a repeat gets the stored answer, and two commands with the
/// same key in one batch get the same one. The batch writes the new records in the same transaction
/// as the changes. One thread.
public final class BatchIdempotency {
  private static final Logger log = LoggerFactory.getLogger(BatchIdempotency.class);

  /// How long a refusal, or the answer to a change that needs no permanent record, is kept.
  public static final Duration ANSWER_RETENTION = Duration.ofHours(24);

  private final KeyLookup committed;
  private final InstantSource clock;
  private final Map<String, IdempotencyRecord> records = new LinkedHashMap<>();

  public BatchIdempotency(KeyLookup committed, InstantSource clock) {
    this.committed = committed;
    this.clock = clock;
  }

  <D extends KeyedDecider, T> Answer<T> answer(Submitted<D, T> request, D decider)
      throws SQLException {
    Instant now = clock.instant();
    if (request.isTooLate(now)) {
      return new Answer.NotDecided<>(Answer.Cause.TOO_LATE);
    }
    RequestKey key = request.key();
    try {
      return key == null
          ? request.command().decide(decider, null, now)
          : answer(request, key, decider, now);
    } catch (CorruptDataException e) { // affects only this command; the others continue
      log.error("{}", e.getMessage());
      return new Answer.NotDecided<>(Answer.Cause.DAMAGED);
    }
  }

  private <D extends KeyedDecider, T> Answer<T> answer(
      Submitted<D, T> request, RequestKey key, D decider, Instant now) throws SQLException {
    IdempotencyRecord known = find(key);
    if (known != null) {
      return Arrays.equals(request.hash(), known.hash())
          ? replayed(known)
          : new Answer.NotDecided<>(Answer.Cause.KEY_REUSED);
    }
    Answer<T> answer = request.command().decide(decider, key, now);
    if (answer instanceof Answer.Done) {
      switch (request.command().retention()) {
        case FOREVER -> put(key, request.hash(), answer, null);
        case ONE_DAY -> put(key, request.hash(), answer, now.plus(ANSWER_RETENTION));
        case LATER -> {}
      }
    } else {
      keep(key, request.hash(), answer);
    }
    if (!records.containsKey(key.stored())) { // otherwise its insert fails if the key is not new
      committed.requireNew(key);
    }
    return answer;
  }

  /// Returns the record of a key in this batch or on disk, or null.
  public @Nullable IdempotencyRecord find(RequestKey key) throws SQLException {
    IdempotencyRecord inBatch = records.get(key.stored());
    return inBatch == null ? committed.find(key) : inBatch;
  }

  /// Requests with equal hashes are the same command, so their answers have the same type.
  @SuppressWarnings("unchecked")
  private static <T> Answer<T> replayed(IdempotencyRecord known) {
    return (Answer<T>) known.answer().again();
  }

  /// Keeps the answer to a key: forever, and a refusal as its reason says.
  ///
  /// @param hash of the request
  public void keep(RequestKey key, byte[] hash, Answer<?> answer) {
    switch (answer) {
      case Answer.Done<?> _ -> put(key, hash, answer, null);
      case Answer.Refusal<?> refusal -> {
        if (refusal.reason().isKept() && key.clientMade()) {
          put(key, hash, answer, clock.instant().plus(ANSWER_RETENTION));
        }
      }
      case Answer.NotDecided<?> _ -> {}
    }
  }

  private void put(RequestKey key, byte[] hash, Answer<?> answer, @Nullable Instant until) {
    records.put(key.stored(), new IdempotencyRecord(key.stored(), hash, answer, until));
  }

  /// The records to write.
  public Collection<IdempotencyRecord> records() {
    return records.values();
  }
}
