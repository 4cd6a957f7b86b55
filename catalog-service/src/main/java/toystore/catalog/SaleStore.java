package toystore.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import toystore.catalog.Answer.Changed;
import toystore.catalog.Answer.Imported;
import toystore.catalog.Answer.Sold;
import toystore.writer.Checksum;
import toystore.writer.DamagedException;
import toystore.writer.RowStatement;

/// Sales, and what keys were answered, in the catalog's database. An instance belongs to the
/// writer's connection and thread; the static methods read on any connection.
final class SaleStore implements AutoCloseable {
  private static final String SOLD = "SOLD";
  private static final String CHANGED = "CHANGED";

  private final Connection writing;
  private final RowStatement addSale;
  private final RowStatement putAnswer;
  private final PreparedStatement answerFrom;
  private final PreparedStatement answerBefore;
  private final PreparedStatement forgetAnswers;

  SaleStore(Connection writing) throws SQLException {
    this.writing = writing;
    addSale =
        new RowStatement(
            writing,
            """
            INSERT INTO sale (series, number, key, kind, as_list, lines, time, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """);
    putAnswer =
        new RowStatement(
            writing,
            """
            INSERT INTO answer
              (key, request_hash, outcome, number, series, detail, kept_until, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """);
    answerFrom =
        writing.prepareStatement("SELECT * FROM answer WHERE key >= ? ORDER BY key LIMIT 1");
    answerBefore =
        writing.prepareStatement("SELECT * FROM answer WHERE key < ? ORDER BY key DESC LIMIT 1");
    forgetAnswers =
        writing.prepareStatement(
            """
            DELETE FROM answer WHERE key IN
              (SELECT key FROM answer WHERE kept_until IS NOT NULL AND kept_until < ? LIMIT ?)
            """);
  }

  void add(Sale sale) throws SQLException {
    addSale
        .set(sale.series().id())
        .set(sale.number())
        .set(sale.key())
        .set(sale.kind().name())
        .set(sale.asList())
        .set(Rows.json(sale.lines()))
        .set(sale.soldAt().toEpochMilli())
        .execute();
  }

  void add(KeptAnswer kept) throws SQLException {
    putAnswer.set(kept.key()).set(kept.hash());
    switch (kept.answer()) {
      case Sold sold ->
          putAnswer.set(SOLD).set(sold.sale().number()).set(sold.sale().series().id()).setNull();
      case Changed changed ->
          putAnswer.set(CHANGED).setNull().setNull().set(Rows.json(changed.product()));
      case Refused refused ->
          putAnswer.set(refused.reason().name()).setNull().setNull().set(refused.message());
      case Imported _ -> throw new IllegalStateException("imports have no key");
    }
    Instant until = kept.until();
    putAnswer.set(until == null ? null : (Long) until.toEpochMilli()).execute();
  }

  /// What a key was answered. Where it is not found, its neighbours are looked at as well: a key
  /// that a disk has changed still stands where it stood, and nothing may be sold by it again. The
  /// writer's thread.
  ///
  /// @throws DamagedException where one of these, or the sale it tells of, is not as it was written
  @Nullable KeptAnswer findAnswer(String key) throws SQLException {
    answerFrom.setString(1, key);
    try (ResultSet row = answerFrom.executeQuery()) {
      if (row.next()) {
        Checksum.check(row, "answer", "key");
        if (row.getString("key").equals(key)) {
          return kept(row);
        }
      }
    }
    answerBefore.setString(1, key);
    try (ResultSet row = answerBefore.executeQuery()) {
      if (row.next()) {
        Checksum.check(row, "answer", "key");
      }
    }
    return null;
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
    addSale.close();
    putAnswer.close();
    for (var statement : List.of(answerFrom, answerBefore, forgetAnswers)) {
      statement.close();
    }
  }

  private KeptAnswer kept(ResultSet row) throws SQLException {
    long until = row.getLong("kept_until");
    return new KeptAnswer(
        row.getString("key"),
        row.getBytes("request_hash"),
        answer(row),
        row.wasNull() ? null : Instant.ofEpochMilli(until));
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
        .orElseThrow(() ->
            new DamagedException(
                "damaged table: sale %d is not there, though key %s was answered with it"
                    .formatted(number, key.replace('\n', ' '))));
  }

  static Optional<Sale> find(Connection connection, Series series, long number)
      throws SQLException {
    if (number < 0 || number >= nextNumber(connection, series)) {
      return Optional.empty();
    }
    List<Sale> page = page(connection, series, number, 1);
    if (page.isEmpty()) {
      throw new DamagedException("damaged table: sale %d is missing".formatted(number));
    }
    return Optional.of(page.getFirst());
  }

  /// At most `limit` sales of a series from a number on.
  ///
  /// @throws DamagedException where one is not as it was written, or missing before another
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
          Sale sale = sale(series, rows);
          if (sale.number() != from + page.size()) {
            throw new DamagedException(
                "damaged table: sale %d is missing".formatted(from + page.size()));
          }
          page.add(sale);
        }
        return page;
      }
    }
  }

  /// The number the next sale of a series gets.
  static long nextNumber(Connection connection, Series series) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT * FROM sale WHERE series = ? ORDER BY number DESC LIMIT 1")) {
      statement.setInt(1, series.id());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? sale(series, row).number() + 1 : 0;
      }
    }
  }

  private static Sale sale(Series series, ResultSet row) throws SQLException {
    Checksum.check(row, "sale", "number");
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
