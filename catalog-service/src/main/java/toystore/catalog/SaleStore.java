package toystore.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import toystore.catalog.Answer.Changed;
import toystore.catalog.Answer.Imported;
import toystore.catalog.Answer.Sold;

/// Sales, and what keys were answered, in the catalog's database. An instance belongs to the
/// writer's connection and thread; the static methods read on any connection.
final class SaleStore implements AutoCloseable {
  private static final String SOLD = "SOLD";
  private static final String CHANGED = "CHANGED";

  private final Connection writing;
  private final PreparedStatement addSale;
  private final PreparedStatement putAnswer;
  private final PreparedStatement findAnswer;
  private final PreparedStatement forgetAnswers;

  SaleStore(Connection writing) throws SQLException {
    this.writing = writing;
    addSale =
        writing.prepareStatement(
            """
            INSERT INTO sale (series, number, key, kind, as_list, lines, time)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """);
    putAnswer =
        writing.prepareStatement(
            """
            INSERT INTO answer (key, request_hash, outcome, number, series, detail, kept_until)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """);
    findAnswer = writing.prepareStatement("SELECT * FROM answer WHERE key = ?");
    forgetAnswers =
        writing.prepareStatement(
            """
            DELETE FROM answer WHERE key IN
              (SELECT key FROM answer WHERE kept_until IS NOT NULL AND kept_until < ? LIMIT ?)
            """);
  }

  void add(Sale sale) throws SQLException {
    addSale.setInt(1, sale.series().id());
    addSale.setLong(2, sale.number());
    addSale.setString(3, sale.key());
    addSale.setString(4, sale.kind().name());
    addSale.setBoolean(5, sale.asList());
    addSale.setString(6, Rows.json(sale.lines()));
    addSale.setLong(7, sale.soldAt().toEpochMilli());
    addSale.executeUpdate();
  }

  void add(KeptAnswer kept) throws SQLException {
    putAnswer.setString(1, kept.key());
    putAnswer.setBytes(2, kept.hash());
    switch (kept.answer()) {
      case Sold sold -> {
        putAnswer.setString(3, SOLD);
        putAnswer.setLong(4, sold.sale().number());
        putAnswer.setInt(5, sold.sale().series().id());
        putAnswer.setNull(6, Types.VARCHAR);
      }
      case Changed changed -> {
        putAnswer.setString(3, CHANGED);
        putAnswer.setNull(4, Types.INTEGER);
        putAnswer.setNull(5, Types.INTEGER);
        putAnswer.setString(6, Rows.json(changed.product()));
      }
      case Refused refused -> {
        putAnswer.setString(3, refused.reason().name());
        putAnswer.setNull(4, Types.INTEGER);
        putAnswer.setNull(5, Types.INTEGER);
        putAnswer.setString(6, refused.message());
      }
      case Imported _ -> throw new IllegalStateException("imports have no key");
    }
    if (kept.until() == null) {
      putAnswer.setNull(7, Types.INTEGER);
    } else {
      putAnswer.setLong(7, kept.until().toEpochMilli());
    }
    putAnswer.executeUpdate();
  }

  /// What a key was answered. The writer's thread.
  @Nullable KeptAnswer findAnswer(String key) throws SQLException {
    findAnswer.setString(1, key);
    try (ResultSet row = findAnswer.executeQuery()) {
      if (!row.next()) {
        return null;
      }
      long until = row.getLong("kept_until");
      return new KeptAnswer(
          key,
          row.getBytes("request_hash"),
          answer(row),
          row.wasNull() ? null : Instant.ofEpochMilli(until));
    }
  }

  /// Forgets some of the refusals whose time is over.
  ///
  /// @return how many
  int forgetAnswers(Instant now, int limit) throws SQLException {
    forgetAnswers.setLong(1, now.toEpochMilli());
    forgetAnswers.setInt(2, limit);
    return forgetAnswers.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    for (var statement : List.of(addSale, putAnswer, findAnswer, forgetAnswers)) {
      statement.close();
    }
  }

  private Answer answer(ResultSet row) throws SQLException {
    String outcome = row.getString("outcome");
    return switch (outcome) {
      case SOLD -> new Sold(soldAs(row.getLong("number"), row.getString("key")), false);
      case CHANGED -> new Changed(Rows.product(row.getString("detail")), false);
      default -> new Refused(Reason.valueOf(outcome), row.getString("detail"));
    };
  }

  private Sale soldAs(long number, String key) throws SQLException {
    return find(writing, Series.STORE, number)
        .orElseThrow(
            () -> new IllegalStateException("key " + key + " sold as missing sale " + number));
  }

  static Optional<Sale> find(Connection connection, Series series, long number)
      throws SQLException {
    return page(connection, series, number, 1).stream()
        .filter(sale -> sale.number() == number)
        .findFirst();
  }

  /// At most `limit` sales of a series from a number on.
  static List<Sale> page(Connection connection, Series series, long from, int limit)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT * FROM sale WHERE series = ? AND number >= ? ORDER BY number LIMIT ?")) {
      statement.setInt(1, series.id());
      statement.setLong(2, from);
      statement.setInt(3, limit);
      try (ResultSet rows = statement.executeQuery()) {
        var page = new ArrayList<Sale>();
        while (rows.next()) {
          page.add(sale(series, rows));
        }
        return page;
      }
    }
  }

  /// The number the next sale of a series gets.
  static long nextNumber(Connection connection, Series series) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT number FROM sale WHERE series = ? ORDER BY number DESC LIMIT 1")) {
      statement.setInt(1, series.id());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) + 1 : 0;
      }
    }
  }

  private static Sale sale(Series series, ResultSet row) throws SQLException {
    return new Sale(
        series,
        row.getLong("number"),
        row.getString("key"),
        SaleKind.valueOf(row.getString("kind")),
        row.getBoolean("as_list"),
        Rows.lines(row.getString("lines")),
        Instant.ofEpochMilli(row.getLong("time")));
  }
}
