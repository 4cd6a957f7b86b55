package toystore.order;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import toystore.platform.storage.ChecksummedStatement;
import toystore.platform.storage.ChecksummedTable;

/// The book on disk. An instance writes, on the writer's connection and thread alone; the static
/// methods read on any connection.
final class BookStore {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addMixIn(Order.Line.class, LineColumns.class)
          // a book from before it had the ids of products has null for them
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();
  private static final ObjectReader LINES = JSON.readerForListOf(Order.Line.class);

  private static final ChecksummedTable<Order> BOOK =
      new ChecksummedTable<>(
          "book",
          "number",
          List.of("series", "number", "key", "kind", "as_list", "lines", "time"),
          BookStore::bind,
          BookStore::fromRow);

  /// What stands in the column `lines`: `[[product id, name, quantity, price in cents], …]`.
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  @JsonPropertyOrder({"productId", "name", "quantity", "priceCents"})
  private interface LineColumns {}

  private final ChecksummedTable<Order>.Writer book;

  BookStore(Connection writing) throws SQLException {
    book = BOOK.inserts(writing);
  }

  void add(Order order) throws SQLException {
    book.put(order);
  }

  static Checkpoint position(Connection connection, Order.Series series) throws SQLException {
    return BOOK.row(connection, "WHERE series = ? ORDER BY number DESC", series.id())
        .map(Checkpoint::after)
        .orElse(Checkpoint.START);
  }

  /// An order of the store's.
  static Optional<Order> find(Connection connection, long number) throws SQLException {
    return number < 0
        ? Optional.empty()
        : page(connection, Order.Series.STORE, number, 1).stream().findFirst();
  }

  /// At most `limit` orders of a series from a number on.
  ///
  /// @throws DamagedException where one is not as it was written, or missing before another
  static List<Order> page(Connection connection, Order.Series series, long from, int limit)
      throws SQLException {
    return BOOK.run(connection, "series = ?", series.id(), from, limit);
  }

  private static void bind(ChecksummedStatement row, Order order) throws SQLException {
    row.set(order.series().id())
        .set(order.number())
        .set(order.key())
        .set(order.kind().name())
        .set(order.asList())
        .set(JSON.writeValueAsString(order.lines()))
        .set(order.placedAt().toEpochMilli());
  }

  private static Order fromRow(ResultSet row) throws SQLException {
    return new Order(
        Order.Series.of(row.getInt("series")),
        row.getLong("number"),
        row.getString("key"),
        Order.Kind.valueOf(row.getString("kind")),
        row.getBoolean("as_list"),
        LINES.readValue(row.getString("lines")),
        Instant.ofEpochMilli(row.getLong("time")));
  }
}
