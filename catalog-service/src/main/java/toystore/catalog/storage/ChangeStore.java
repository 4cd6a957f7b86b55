package toystore.catalog.storage;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductDifference;
import toystore.catalog.domain.RecordedChange;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.Database;

/// The recorded changes. Rows are only added. An instance writes and belongs to the writer's
/// thread; the static methods read on any connection.
public final class ChangeStore {
  private static final ChecksummedTable<Row> CHANGES =
      new ChecksummedTable<>(
          "recorded_change",
          "number",
          List.of("number", "time", "made_by", "product_before", "product_after"),
          (row, it) -> {
            RecordedChange change = it.change();
            row.set(it.number())
                .set(change.time().toEpochMilli())
                .set(change.by())
                .set(json(change.difference().before()))
                .set(json(change.difference().after()));
          },
          ChangeStore::row);

  private final ChecksummedTable<Row>.Writer changes;

  /// @param number from 1, consecutive
  public record Row(long number, RecordedChange change) {}

  ChangeStore(Database database) {
    changes = CHANGES.inserts(database);
  }

  void add(Row row) throws SQLException {
    changes.put(row);
  }

  static long lastNumber(Connection connection) throws SQLException {
    return page(connection, Long.MAX_VALUE, 1).stream().findFirst().map(Row::number).orElse(0L);
  }

  /// The newest first.
  public static List<Row> page(Connection connection, long before, int limit) throws SQLException {
    return CHANGES.rows(connection, "WHERE number < ? ORDER BY number DESC LIMIT ?", before, limit);
  }

  /// In the order of their numbers.
  ///
  /// @throws toystore.platform.storage.CorruptDataException if a row is damaged, or missing before
  ///   another
  static List<Row> run(Connection connection, long from, int limit) throws SQLException {
    return CHANGES.run(connection, "number > ?", 0L, from, limit);
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        row.getLong("number"),
        new RecordedChange(
            Instant.ofEpochMilli(row.getLong("time")),
            row.getString("made_by"),
            new ProductDifference(
                product(row.getString("product_before")),
                product(row.getString("product_after")))));
  }

  private static @Nullable String json(@Nullable Product product) {
    return product == null ? null : JsonColumns.json(product);
  }

  private static @Nullable Product product(@Nullable String json) {
    return json == null ? null : JsonColumns.product(json);
  }
}
