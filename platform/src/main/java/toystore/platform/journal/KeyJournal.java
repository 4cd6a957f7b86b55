package toystore.platform.journal;

import static toystore.common.RootLocale.format;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.Database;
import toystore.platform.storage.DecideAgainException;
import toystore.platform.storage.WriterStatement;

/// Decides each request once: a repeat gets the stored answer, and two commands with the same key
/// in one batch get the same one. The answers are rows of a table in the service's database,
/// written in the transaction of the changes. Used on the writer's connection and thread only.
///
/// ```
/// key TEXT PRIMARY KEY   scope and value; each key has one record and therefore one answer
/// request_hash BLOB      of the requested values
/// …                      columns of the answer, defined by the service
/// kept_until INTEGER     ms since 1970; null: forever. Indexed where it is not null
/// checksum INTEGER
/// ```
public final class KeyJournal {
  /// How long a refusal, or the answer to a change that needs no permanent record, is kept.
  public static final Duration ANSWER_RETENTION = Duration.ofHours(24);

  /// Each batch deletes more expired records than it adds, so the table does not grow without
  /// limit.
  private static final int DELETED_PER_ADDED = 2;

  private static final int DELETED_PER_BATCH = 10;

  /// Pause after a deletion that left no expired record: it takes 30 µs even if it finds none, 4 %
  /// of the catalog's CPU time.
  private static final Duration DELETION_PAUSE = Duration.ofSeconds(1);

  private final ChecksummedTable<IdempotencyRecord> table;
  private final ChecksummedTable<IdempotencyRecord>.Writer records;
  private final WriterStatement neighbors;
  private final WriterStatement deleteExpired;
  private final Database database;
  private final InstantSource clock;
  private final boolean assumesNewKeys;
  private final Map<String, IdempotencyRecord> batch = new LinkedHashMap<>();
  private boolean looksUpAll;
  private Instant noneLeftAt = Instant.MIN;

  /// @param answer the columns of the answer
  public static ChecksummedTable<IdempotencyRecord> table(
      String name,
      List<String> answer,
      ChecksummedTable.Binding<Answer<?>> binding,
      ChecksummedTable.Mapping<Answer<?>> mapping) {
    var columns = new ArrayList<>(List.of("key", "request_hash"));
    columns.addAll(answer);
    columns.add("kept_until");
    return new ChecksummedTable<>(
        name,
        "key",
        List.copyOf(columns),
        (row, record) -> {
          binding.set(row.set(record.key()).set(record.hash()), record.answer());
          Instant until = record.until();
          row.set(until == null ? null : until.toEpochMilli());
        },
        row ->
            new IdempotencyRecord(
                row.getString("key"), row.getBytes("request_hash"), mapping.read(row), until(row)));
  }

  private static @Nullable Instant until(ResultSet row) throws SQLException {
    long until = row.getLong("kept_until");
    return row.wasNull() ? null : Instant.ofEpochMilli(until);
  }

  /// @param table created by [#table]
  /// @param assumesNewKeys whether a key that the client did not make is assumed to be new, because
  ///   its request is sent once, and not looked up before the decision
  public KeyJournal(
      Database database,
      ChecksummedTable<IdempotencyRecord> table,
      InstantSource clock,
      boolean assumesNewKeys) {
    this.database = database;
    this.clock = clock;
    this.table = table;
    this.assumesNewKeys = assumesNewKeys;
    this.records = table.inserts(database);
    this.neighbors =
        database.statement(
            format(
                """
                SELECT * FROM (SELECT %1$s FROM %2$s WHERE key >= ? ORDER BY key LIMIT 1) AS here UNION ALL
                SELECT * FROM (SELECT %1$s FROM %2$s WHERE key < ? ORDER BY key DESC LIMIT 1) AS before
                """,
                table.selected(), table.name()));
    this.deleteExpired =
        database.statement(
            format(
                """
                DELETE FROM %1$s WHERE key IN
                  (SELECT key FROM %1$s WHERE kept_until IS NOT NULL AND kept_until < ? LIMIT ?)
                """,
                table.name()));
  }

  Instant now() {
    return clock.instant();
  }

  public void begin() {
    batch.clear();
  }

  <U extends KeyedUnitOfWork, T> Answer<T> answer(
      Submitted<U, T> request, RequestKey key, U unit, CommandContext context) throws SQLException {
    IdempotencyRecord known = find(key);
    if (known != null) {
      return Arrays.equals(request.hash(), known.hash())
          ? request.command().repeated(unit, answer(known))
          : new Answer.NotDecided<>(Answer.Cause.KEY_REUSED);
    }
    Answer<T> answer = request.command().decide(unit, context);
    if (answer instanceof Answer.Done) {
      switch (request.command().retention()) {
        case FOREVER -> put(key, request.hash(), answer, null);
        case ONE_DAY -> put(key, request.hash(), answer, context.now().plus(ANSWER_RETENTION));
        case LATER -> {}
      }
    } else {
      keep(key, request.hash(), answer);
    }
    if (!batch.containsKey(key.stored())) { // otherwise its insert fails if the key is not new
      requireNew(key);
    }
    return answer;
  }

  /// Requests with equal hashes are the same command, so their answers have the same type.
  @SuppressWarnings("unchecked")
  private static <T> Answer<T> answer(IdempotencyRecord known) {
    return (Answer<T>) known.answer();
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

  void put(RequestKey key, byte[] hash, Answer<?> answer, @Nullable Instant until) {
    batch.put(key.stored(), new IdempotencyRecord(key.stored(), hash, answer, until));
  }

  /// Writes the answers of the batch, and deletes some expired ones in the same transaction, but
  /// not within a second after a deletion that left none.
  ///
  /// @throws DecideAgainException if a key has a record already
  public void write() throws SQLException {
    try {
      records.putAll(batch.values());
      database.flush();
    } catch (SQLException e) {
      if (Database.isDuplicateKey(e)) {
        throw decideAgain("(" + e.getMessage() + ")", e);
      }
      throw e;
    }
    looksUpAll = false;
    Instant now = clock.instant();
    boolean pausing = now.isBefore(noneLeftAt.plus(DELETION_PAUSE)) && !now.isBefore(noneLeftAt);
    if (!pausing) {
      deleteExpired(DELETED_PER_BATCH + DELETED_PER_ADDED * batch.size(), now);
    }
  }

  private DecideAgainException decideAgain(String key, @Nullable Exception cause) {
    looksUpAll = true;
    return new DecideAgainException(
        format(
            "key %s was not made by the client, so it must be new, but it has a record",
            key.replace('\n', ' ')),
        cause);
  }

  private void deleteExpired(int limit, Instant now) throws SQLException {
    if (deleteExpired.set(now.toEpochMilli()).set(limit).execute() < limit) {
      noneLeftAt = now;
    }
  }

  /// False for every key after a [DecideAgainException], until the batch is written.
  private boolean isAssumedNew(RequestKey key) {
    return assumesNewKeys && !key.clientMade() && !looksUpAll;
  }

  /// @throws DecideAgainException if a key that was assumed to be new has a record, or may have a
  ///   damaged one
  void requireNew(RequestKey key) throws SQLException {
    if (!isAssumedNew(key)) {
      return;
    }
    try {
      if (lookUp(key) == null) {
        return;
      }
    } catch (CorruptDataException e) {
      throw decideAgain(key.stored(), e);
    }
    throw decideAgain(key.stored(), null);
  }

  /// Returns the record of a key, in this batch or on disk, or null. If the key is not found, this
  /// method also checks the neighboring rows: if a disk error changed a key, its row is still at
  /// its old position, and the request must not be carried out again.
  ///
  /// @throws CorruptDataException if one of these rows, or the row it refers to, is damaged
  @Nullable IdempotencyRecord find(RequestKey key) throws SQLException {
    IdempotencyRecord inBatch = batch.get(key.stored());
    return inBatch != null || isAssumedNew(key) ? inBatch : lookUp(key);
  }

  private @Nullable IdempotencyRecord lookUp(RequestKey key) throws SQLException {
    String stored = key.stored();
    try (ResultSet row =
        neighbors.set(stored).set(stored).query()) { // one query: the driver reads its column names
      while (row.next()) {
        table.check(row, 1);
        if (row.getString(1).equals(stored)) { // by number: a name is looked up among all columns
          return table.mapping().read(row);
        }
      }
      return null;
    }
  }
}
