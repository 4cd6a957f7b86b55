package toystore.platform.idempotency;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.SqliteFile;

/// What keys were answered, in a service's database, on the writer's connection and thread alone.
///
/// ```
/// key TEXT PRIMARY KEY   scope and value; a key is here once, so it is answered once
/// request_hash BLOB      of the values that were asked for
/// …                      the answer, as the service keeps it
/// kept_until INTEGER     ms since 1970; null: for ever. Indexed where it is not null
/// checksum INTEGER
/// ```
public final class IdempotencyRecords<A> {
  private static final Duration FORGET_EVERY = Duration.ofSeconds(1);
  private static final int FORGET_AT_ONCE = 200;

  private final ChecksummedTable<IdempotencyRecord<A>> table;
  private final ChecksummedTable<IdempotencyRecord<A>>.Writer records;
  private final PreparedStatement from;
  private final PreparedStatement before;
  private final PreparedStatement forget;
  private Instant forgotAt = Instant.EPOCH;

  /// The table in which a service keeps what keys were answered.
  ///
  /// @param answer the columns that hold the answer
  public static <A> ChecksummedTable<IdempotencyRecord<A>> table(
      String name,
      List<String> answer,
      ChecksummedTable.Binding<A> binding,
      ChecksummedTable.Mapping<A> mapping) {
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
            new IdempotencyRecord<>(
                row.getString("key"), row.getBytes("request_hash"), mapping.read(row), until(row)));
  }

  private static @Nullable Instant until(ResultSet row) throws SQLException {
    long until = row.getLong("kept_until");
    return row.wasNull() ? null : Instant.ofEpochMilli(until);
  }

  /// @param table made by [#table]
  public IdempotencyRecords(Connection writing, ChecksummedTable<IdempotencyRecord<A>> table)
      throws SQLException {
    this.table = table;
    this.records = table.inserts(writing);
    String select = "SELECT %s FROM %s WHERE key ".formatted(table.selected(), table.name());
    this.from = writing.prepareStatement(select + ">= ? ORDER BY key LIMIT 1");
    this.before = writing.prepareStatement(select + "< ? ORDER BY key DESC LIMIT 1");
    this.forget =
        writing.prepareStatement(
            """
            DELETE FROM %1$s WHERE key IN
              (SELECT key FROM %1$s WHERE kept_until IS NOT NULL AND kept_until < ? LIMIT ?)
            """
                .formatted(table.name()));
  }

  public void add(IdempotencyRecord<A> record) throws SQLException {
    records.put(record);
  }

  /// What a key was answered; null: nothing. Where it is not found, its neighbours are looked at as
  /// well: a key that a disk has changed still stands where it stood, and nothing may be done by it
  /// again.
  ///
  /// @throws toystore.platform.storage.CorruptDataException where one of these, or what it tells
  ///   of, is not as it was written
  public @Nullable IdempotencyRecord<A> find(RequestKey key) throws SQLException {
    String stored = key.stored();
    from.setString(1, stored);
    try (ResultSet row = from.executeQuery()) {
      if (row.next()) {
        table.check(row, 1);
        if (row.getString("key").equals(stored)) {
          return table.mapping().read(row);
        }
      }
    }
    before.setString(1, stored);
    try (ResultSet row = before.executeQuery()) {
      if (row.next()) {
        table.check(row, 1);
      }
    }
    return null;
  }

  /// Forgets some of the refusals whose time is over, in a commit of its own; once a second at
  /// most.
  public void forget(SqliteFile file, Instant now) throws SQLException {
    if (now.isAfter(forgotAt.plus(FORGET_EVERY))) {
      forgotAt = now;
      forget.setLong(1, now.toEpochMilli());
      forget.setInt(2, FORGET_AT_ONCE);
      file.commit(forget::executeUpdate);
    }
  }
}
