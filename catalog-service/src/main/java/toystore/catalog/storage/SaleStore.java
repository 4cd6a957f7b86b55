package toystore.catalog.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import toystore.catalog.domain.CatalogCommand.SessionEnded;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.Sale;
import toystore.catalog.domain.Sale.SaleLine;
import toystore.catalog.domain.SaleKind;
import toystore.catalog.domain.SaleSeries;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.IdempotencyRecord;
import toystore.platform.journal.KeyJournal;
import toystore.platform.journal.RequestKey;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.Database;
import toystore.platform.storage.WriterStatement;

/// Sales, trades, and idempotency records. An instance writes and belongs to the writer's thread;
/// the static methods read on any connection.
public final class SaleStore {
  static final ChecksummedTable<Sale> SALES =
      new ChecksummedTable<>(
          "sale",
          "number",
          List.of("series", "number", "key", "kind", "as_list", "lines", "time"),
          SaleStore::set,
          row -> sale(row, List.of()));

  private static final ChecksummedTable<LineRow> LINES =
      new ChecksummedTable<>(
          "sale_line",
          "number",
          List.of("series", "number", "line", "product_id", "name", "quantity", "price_cents"),
          (row, it) ->
              row.set(it.series())
                  .set(it.number())
                  .set(it.line())
                  .set(it.sold().productId())
                  .set(it.sold().name())
                  .set(it.sold().quantity())
                  .set(it.sold().priceCents()),
          row ->
              new LineRow(
                  row.getLong("series"),
                  row.getLong("number"),
                  row.getLong("line"),
                  new SaleLine(
                      row.getLong("product_id"),
                      row.getString("name"),
                      row.getLong("quantity"),
                      row.getLong("price_cents"))));

  static final ChecksummedTable<IdempotencyRecord> ANSWERS =
      KeyJournal.table(
          "answer",
          List.of("outcome", "number", "series", "detail"),
          SaleStore::set,
          SaleStore::answer);

  private static final ChecksummedTable<ReturnRow> RETURNS =
      new ChecksummedTable<>(
          "sale_return",
          "purchase",
          List.of("purchase", "number"),
          (row, it) -> row.set(it.purchase()).set(it.number()),
          row -> new ReturnRow(row.getLong("purchase"), row.getLong("number")));

  static final String SOLD = "SOLD";
  private static final String CHANGED = "CHANGED";
  private static final String SESSION_ENDED = "SESSION_ENDED";

  private final ChecksummedTable<Sale>.Writer sales;
  private final ChecksummedTable<LineRow>.Writer lines;
  private final ChecksummedTable<ReturnRow>.Writer returns;
  private final WriterStatement stockTrades;

  /// @param line from 0
  private record LineRow(long series, long number, long line, SaleLine sold) {}

  /// Both in series PURCHASES.
  record ReturnRow(long purchase, long number) {}

  SaleStore(Database database) {
    sales = SALES.inserts(database);
    lines = LINES.inserts(database);
    returns = RETURNS.inserts(database);
    stockTrades = database.statement("INSERT INTO stock_trade (product_id, number) VALUES (?, ?)");
  }

  void add(Sale sale) throws SQLException {
    sales.put(sale);
    long line = 0;
    for (SaleLine sold : sale.lines()) {
      lines.put(new LineRow(sale.series().id(), sale.number(), line++, sold));
    }
    if (sale.kind().isTrade()) {
      for (long stock : sale.lines().stream().mapToLong(SaleLine::productId).distinct().toArray()) {
        stockTrades.set(stock).set(sale.number()).add();
      }
    }
  }

  void addReturn(long purchase, long number) throws SQLException {
    returns.put(new ReturnRow(purchase, number));
  }

  private static void set(WriterStatement row, Sale sale) throws SQLException {
    row.set(sale.series().id())
        .set(sale.number())
        .set(sale.key())
        .set(sale.kind().name())
        .set(sale.asList())
        .set(sale.lines().size())
        .set(sale.soldAt().toEpochMilli());
  }

  private static void set(WriterStatement row, Answer<?> answer) throws SQLException {
    switch (answer) {
      case Done(Sale sale, _) -> row.set(SOLD).set(sale.number()).set(sale.series().id()).set(null);
      case Done(Product product, _) ->
          row.set(CHANGED).set(null).set(null).set(JsonColumns.json(product));
      case Done(SessionEnded _, _) -> row.set(SESSION_ENDED).set(null).set(null).set(null);
      case Refusal(ErrorReason reason, String message, _) ->
          row.set(reason.name()).set(null).set(null).set(message);
      default -> throw new IllegalStateException("an answer without columns: " + answer);
    }
  }

  private static Answer<?> answer(ResultSet row) throws SQLException {
    String outcome = row.getString("outcome");
    return switch (outcome) {
      case SOLD -> new Done<>(recordedSale(row));
      case CHANGED -> new Done<>(JsonColumns.product(row.getString("detail")));
      case SESSION_ENDED -> new Done<>(new SessionEnded());
      default -> new Refusal<>(ErrorReason.valueOf(outcome), row.getString("detail"));
    };
  }

  private static Sale recordedSale(ResultSet row) throws SQLException {
    long number = row.getLong("number");
    String key = row.getString("key");
    return find(row.getStatement().getConnection(), SaleSeries.of(row.getInt("series")), number)
        .orElseThrow(() ->
            new CorruptDataException(
                format(
                    "damaged table: sale %d is missing, but key %s refers to it",
                    number, key.replace('\n', ' '))));
  }

  public static boolean isAnswered(Connection connection, RequestKey key) throws SQLException {
    return ANSWERS.row(connection, "WHERE key = ?", key.stored()).isPresent();
  }

  /// @throws CorruptDataException if the row is damaged, or missing before another sale
  public static Optional<Sale> find(Connection connection, SaleSeries series, long number)
      throws SQLException {
    return number < 0 ? Optional.empty() : page(connection, series, number, 1).stream().findFirst();
  }

  /// The latest first.
  public static List<Sale> tradesOf(Connection connection, long productId, int limit)
      throws SQLException {
    return sales(
        connection,
        """
        JOIN stock_trade ON sale.series = ? AND stock_trade.number = sale.number
        WHERE stock_trade.product_id = ? ORDER BY stock_trade.number DESC LIMIT ?
        """,
        "DESC",
        SaleSeries.STORE.id(),
        productId,
        limit);
  }

  static Optional<Long> returnOf(Connection connection, long purchase) throws SQLException {
    return RETURNS.row(connection, "WHERE purchase = ?", purchase).map(ReturnRow::number);
  }

  /// In order of their purchases.
  static List<ReturnRow> returns(Connection connection) throws SQLException {
    return RETURNS.rows(connection, "ORDER BY purchase");
  }

  /// @throws CorruptDataException if a row is damaged or a sale is missing before another
  public static List<Sale> page(Connection connection, SaleSeries series, long from, int limit)
      throws SQLException {
    List<Sale> page =
        sales(
            connection,
            "WHERE series = ? AND number >= ? ORDER BY number LIMIT ?",
            "ASC",
            series.id(),
            from,
            limit);
    long next = from;
    for (Sale sale : page) {
      if (sale.number() != next) {
        throw new CorruptDataException(format("damaged table: sale %d is missing", next));
      }
      next++;
    }
    return page;
  }

  /// With their lines, in the order of their numbers.
  ///
  /// @param clause rest of the query, after `FROM sale`
  /// @param order `ASC` or `DESC`
  /// @throws CorruptDataException if a row is damaged, or a line is missing
  static List<Sale> sales(Connection connection, String clause, String order, Object... parameters)
      throws SQLException {
    String query =
        format(
            """
            SELECT %s, %s FROM (SELECT sale.* FROM sale %s) AS sale
              LEFT JOIN sale_line ON sale_line.series = sale.series AND sale_line.number = sale.number
            ORDER BY sale.number %s, sale_line.line
            """,
            SALES.selected(), LINES.selected(), clause, order);
    List<Sale> sales = new ArrayList<>();
    List<SaleLine> lines = new ArrayList<>();
    ProductStore.select(
        connection,
        row -> {
          SALES.check(row, 1);
          LINES.check(row, SALES.columns().size() + 2); // after the sale's checksum
          LineRow line = LINES.mapping().read(row);
          if (line.line() != lines.size()) {
            throw missingLine(line.number());
          }
          lines.add(line.sold());
          if (lines.size() == row.getInt("lines")) {
            sales.add(sale(row, List.copyOf(lines)));
            lines.clear();
          }
          return line;
        },
        query,
        parameters);
    if (!lines.isEmpty()) {
      throw missingLine(sales.isEmpty() ? 0 : sales.getLast().number());
    }
    return sales;
  }

  private static CorruptDataException missingLine(long number) {
    return new CorruptDataException(
        format("damaged table: a line of sale %d or of one next to it is missing", number));
  }

  public static long nextNumber(Connection connection, SaleSeries series) throws SQLException {
    return SALES
        .row(connection, "WHERE series = ? ORDER BY number DESC", series.id())
        .map(last -> last.number() + 1)
        .orElse(0L);
  }

  private static Sale sale(ResultSet row, List<SaleLine> lines) throws SQLException {
    return new Sale(
        SaleSeries.of(row.getInt("series")),
        row.getLong("number"),
        row.getString("key"),
        SaleKind.valueOf(row.getString("kind")),
        row.getBoolean("as_list"),
        lines,
        Instant.ofEpochMilli(row.getLong("time")));
  }
}
