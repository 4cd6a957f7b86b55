package toystore.platform.idempotency;

import static toystore.common.RootLocale.format;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.Database;
import toystore.platform.storage.DecideAgainException;
import toystore.platform.storage.WriterStatement;

/// The table of idempotency records in a service's database. Used on the writer's connection and
/// thread only.
///
/// ```
/// key TEXT PRIMARY KEY   scope and value; each key has one record and therefore one answer
/// request_hash BLOB      of the requested values
/// …                      columns of the answer, defined by the service
/// kept_until INTEGER     ms since 1970; null: forever. Indexed where it is not null
/// checksum INTEGER
/// ```
public final class IdempotencyRecords implements KeyLookup {
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
  private final boolean assumesNewKeys;
  private boolean looksUpAll;
  private Instant noneLeftAt = Instant.MIN;

  /// The table of a service's idempotency records.
  ///
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
          row.set(until == null ? null : (Long) until.toEpochMilli());
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
  public IdempotencyRecords(
      Database database, ChecksummedTable<IdempotencyRecord> table, boolean assumesNewKeys) {
    this.database = database;
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

  /// Adds the records of a batch, and deletes some expired ones in the same transaction, but not
  /// within a second after a deletion that left none.
  ///
  /// @throws DecideAgainException if a key has a record already
  public void write(Collection<IdempotencyRecord> added, Instant now) throws SQLException {
    try {
      for (IdempotencyRecord record : added) {
        records.put(record);
      }
      database.flush();
    } catch (SQLException e) {
      if (Database.isDuplicateKey(e)) {
        throw decideAgain("(" + e.getMessage() + ")", e);
      }
      throw e;
    }
    looksUpAll = false;
    boolean pausing = now.isBefore(noneLeftAt.plus(DELETION_PAUSE)) && !now.isBefore(noneLeftAt);
    if (!pausing) {
      deleteExpired(DELETED_PER_BATCH + DELETED_PER_ADDED * added.size(), now);
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
  @Override
  public void requireNew(RequestKey key) throws SQLException {
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

  /// Returns the record of a key, or null. If the key is not found, this method also checks the
  /// neighboring rows: if a disk error changed a key, its row is still at its old position, and the
  /// request must not be carried out again.
  ///
  /// @throws CorruptDataException if one of these rows, or the row it refers to, is damaged
  @Override
  public @Nullable IdempotencyRecord find(RequestKey key) throws SQLException {
    return isAssumedNew(key) ? null : lookUp(key);
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
