package toystore.order;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import toystore.writer.Checksum;
import toystore.writer.DamagedException;
import toystore.writer.RowStatement;

/// The book on disk. An instance writes, on the writer's connection and thread alone; the static
/// methods read on any connection.
final class BookStore implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final RowStatement add;

  BookStore(Connection writing) throws SQLException {
    add =
        new RowStatement(
            writing,
            """
            INSERT INTO book (number, key, kind, as_list, lines, time, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """);
  }

  void add(Order order) throws SQLException {
    add.set(order.number())
        .set(order.key())
        .set(order.kind().name())
        .set(order.asList())
        .set(json(order.lines()))
        .set(order.placedAt().toEpochMilli())
        .execute();
  }

  @Override
  public void close() throws SQLException {
    add.close();
  }

  static Position position(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM book ORDER BY number DESC LIMIT 1")) {
      return row.next() ? Position.after(order(row)) : Position.START;
    }
  }

  static Optional<Order> find(Connection connection, long number) throws SQLException {
    return number < 0 ? Optional.empty() : page(connection, number, 1).stream().findFirst();
  }

  /// At most `limit` orders from a number on.
  ///
  /// @throws DamagedException where one is not as it was written, or missing before another
  static List<Order> page(Connection connection, long from, int limit) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT * FROM book WHERE number >= ? ORDER BY number LIMIT ?")) {
      statement.setLong(1, from);
      statement.setInt(2, limit);
      try (ResultSet rows = statement.executeQuery()) {
        var page = new ArrayList<Order>();
        while (rows.next()) {
          Order order = order(rows);
          if (order.number() != from + page.size()) {
            throw new DamagedException(
                "damaged table: order %d is missing".formatted(from + page.size()));
          }
          page.add(order);
        }
        return page;
      }
    }
  }

  private static Order order(ResultSet row) throws SQLException {
    Checksum.check(row, "order", "number");
    return new Order(
        row.getLong("number"),
        row.getString("key"),
        Order.Kind.valueOf(row.getString("kind")),
        row.getBoolean("as_list"),
        lines(row.getString("lines")),
        Instant.ofEpochMilli(row.getLong("time")));
  }

  private static String json(List<Order.Line> lines) {
    ArrayNode all = JSON.createArrayNode();
    lines.forEach(
        line -> all.addArray().add(line.name()).add(line.quantity()).add(line.priceCents()));
    return all.toString();
  }

  private static List<Order.Line> lines(String json) {
    List<Order.Line> lines = new ArrayList<>();
    for (JsonNode line : JSON.readTree(json)) {
      lines.add(new Order.Line(line.get(0).asString(), line.get(1).asLong(), line.get(2).asLong()));
    }
    return lines;
  }
}
