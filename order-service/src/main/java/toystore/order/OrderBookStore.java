package toystore.order;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import toystore.platform.storage.ChecksummedStatement;
import toystore.platform.storage.ChecksummedTable;

/// The table `book`. An instance writes to it, only on the writer thread and its connection. The
/// static methods read and accept any connection.
final class OrderBookStore {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addMixIn(Order.Line.class, LineColumns.class)
          // rows from before the migration V3 have null as product id
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();
  private static final ObjectReader LINES = JSON.readerForListOf(Order.Line.class);

  private static final ObjectReader CARTS =
      JSON.readerFor(new TypeReference<List<List<Order.Line>>>() {});

  private static final ChecksummedTable<Order> BOOK =
      new ChecksummedTable<>(
          "book",
          "number",
          List.of("series", "number", "key", "kind", "as_list", "lines", "time"),
          OrderBookStore::bind,
          OrderBookStore::fromRow);

  /// JSON of the column `lines`: `[[product id, name, quantity, price in cents], …]`.
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  @JsonPropertyOrder({"productId", "name", "quantity", "priceCents"})
  private interface LineColumns {}

  private final ChecksummedTable<Order>.Writer book;

  OrderBookStore(Connection writing) throws SQLException {
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

  /// Finds an order of the series `STORE`.
  static Optional<Order> find(Connection connection, long number) throws SQLException {
    return number < 0
        ? Optional.empty()
        : page(connection, Order.Series.STORE, number, 1).stream().findFirst();
  }

  /// Returns at most `limit` orders of a series, starting at number `from`.
  ///
  /// @throws toystore.platform.storage.CorruptDataException if a row fails its checksum or a number
  ///   is missing
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
        .set(json(order.lines()))
        .set(order.placedAt().toEpochMilli());
  }

  private static Order fromRow(ResultSet row) throws SQLException {
    return new Order(
        Order.Series.of(row.getInt("series")),
        row.getLong("number"),
        row.getString("key"),
        Order.Kind.valueOf(row.getString("kind")),
        row.getBoolean("as_list"),
        lines(row.getString("lines")),
        Instant.ofEpochMilli(row.getLong("time")));
  }

  static String json(List<Order.Line> lines) {
    return JSON.writeValueAsString(lines);
  }

  static List<Order.Line> lines(String json) {
    return LINES.readValue(json);
  }

  /// The lines of a session's cart and of the saved cart.
  static String json(CartContents cart) {
    return JSON.writeValueAsString(List.of(cart.view().lines(), cart.saved().lines()));
  }

  static CartContents cart(String json) {
    List<List<Order.Line>> carts = CARTS.readValue(json);
    return new CartContents(new Cart(carts.getFirst()), new Cart(carts.getLast()));
  }
}
