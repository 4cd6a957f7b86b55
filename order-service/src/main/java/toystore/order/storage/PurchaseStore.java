package toystore.order.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.order.domain.CartContents;
import toystore.order.domain.CartLine;
import toystore.order.domain.CartOwner;
import toystore.order.domain.Purchase;
import toystore.order.domain.Purchase.PurchasedLine;
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

/// The tables `purchase`, `purchase_line` and `answer`. An instance writes and belongs to the
/// writer's thread; the static methods read on any connection.
public final class PurchaseStore {
  private static final ChecksummedTable<Purchase> PURCHASES =
      new ChecksummedTable<>(
          "purchase",
          "id",
          List.of(
              "id",
              "state",
              "buyer_id",
              "session_id",
              "key",
              "client_made",
              "lines",
              "session_cart",
              "from_saved",
              "begun_at",
              "sale_number",
              "sold_at",
              "first_line",
              "return_number"),
          PurchaseStore::set,
          PurchaseStore::purchase);

  private static final ChecksummedTable<PurchasedLine> LINES =
      new ChecksummedTable<>(
          "purchase_line",
          "id",
          List.of(
              "id",
              "buyer_id",
              "item_id",
              "name",
              "quantity",
              "price_cents",
              "sold_at",
              "returned"),
          (row, it) ->
              row.set(it.id())
                  .set(it.buyerId())
                  .set(it.line().itemId())
                  .set(it.line().name())
                  .set(it.line().quantity())
                  .set(it.line().priceCents())
                  .set(it.soldAt().toEpochMilli())
                  .set(it.returned()),
          row ->
              new PurchasedLine(
                  row.getLong("id"),
                  row.getLong("buyer_id"),
                  new CartLine(
                      row.getLong("item_id"),
                      row.getString("name"),
                      row.getLong("quantity"),
                      row.getLong("price_cents")),
                  Instant.ofEpochMilli(row.getLong("sold_at")),
                  row.getBoolean("returned")));

  static final ChecksummedTable<IdempotencyRecord> ANSWERS =
      KeyJournal.table(
          "answer",
          List.of("outcome", "number", "units", "detail"),
          PurchaseStore::set,
          PurchaseStore::answer);

  /// SQLite uses the index of open purchases only if a query has its condition.
  private static final String OPEN =
      "WHERE state IN ('AUTHORISING', 'AUTHORISED', 'SOLD', 'VOIDING', 'RETURNING')";

  /// Lines that are read to find one whose payment is captured.
  private static final int MAX_PENDING = 1_000;

  private static final String ORDER = " ORDER BY state, id";
  private static final String CART = "CART";
  private static final String SOLD = "SOLD";

  private final ChecksummedTable<Purchase>.Writer purchases;
  private final ChecksummedTable<PurchasedLine>.Writer lines;
  private final WriterStatement deleteUnsold;

  PurchaseStore(Database database) {
    purchases =
        PURCHASES.upserts(
            database, List.of("state", "sale_number", "sold_at", "first_line", "return_number"));
    lines = LINES.upserts(database, List.of("returned"));
    deleteUnsold =
        database.statement(
            """
            DELETE FROM purchase WHERE id IN
              (SELECT id FROM purchase WHERE state IN ('DECLINED', 'VOIDED') AND begun_at < ? LIMIT ?)
            """);
  }

  void put(Purchase purchase) throws SQLException {
    purchases.put(purchase);
  }

  void put(PurchasedLine line) throws SQLException {
    lines.put(line);
  }

  /// Nothing refers to them: the answers to their keys are rows of their own, and their payments
  /// are without money.
  void deleteUnsold(Instant begunBefore, int limit) throws SQLException {
    deleteUnsold.set(begunBefore.toEpochMilli()).set(limit).add();
  }

  public static Optional<Purchase> find(Connection connection, String id) throws SQLException {
    return PURCHASES.row(connection, "WHERE id = ?", id);
  }

  static Optional<Purchase> findUndecided(Connection connection, String key) throws SQLException {
    return PURCHASES.row(
        connection, "WHERE key = ? AND state IN ('AUTHORISING', 'AUTHORISED')", key);
  }

  /// Returns purchases that are not finished.
  public static List<Purchase> open(Connection connection, int limit) throws SQLException {
    return PURCHASES.rows(connection, OPEN + ORDER + " LIMIT ?", limit);
  }

  /// Returns purchases that are not finished, and that are sold or not, without damaged rows: they
  /// delay no other purchase, and the audit reports them.
  public static List<Purchase> open(Connection connection, boolean sold, int limit)
      throws SQLException {
    String states = sold ? "('SOLD', 'RETURNING')" : "('AUTHORISING', 'AUTHORISED', 'VOIDING')";
    return PURCHASES.intactRows(connection, limit, OPEN + " AND state IN " + states + ORDER);
  }

  /// Returns the purchases whose sale or return has a number: one, unless the numbers are wrong.
  public static List<Purchase> findByNumber(Connection connection, long number)
      throws SQLException {
    return PURCHASES.rows(connection, "WHERE sale_number = ? OR return_number = ?", number, number);
  }

  /// The highest number of a recorded sale or return; -1 if there is none.
  static long lastNumber(Connection connection) throws SQLException {
    return scalar(
        connection,
        """
        SELECT max(number) FROM (
          SELECT -1 AS number
          UNION ALL SELECT max(sale_number) FROM purchase WHERE sale_number IS NOT NULL
          UNION ALL SELECT max(return_number) FROM purchase WHERE return_number IS NOT NULL) numbers
        """);
  }

  public static long captured(Connection connection) throws SQLException {
    return scalar(connection, "SELECT count(*) FROM purchase WHERE state = 'CAPTURED'");
  }

  private static long scalar(Connection connection, String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /// The id of the next line that is bought.
  static long nextLine(Connection connection) throws SQLException {
    return LINES.row(connection, "ORDER BY id DESC").map(it -> it.id() + 1).orElse(1L);
  }

  /// Returns the next lines of a buyer, oldest first, or newest first.
  ///
  /// @param after id of the last line before them; 0: none
  public static List<PurchasedLine> lines(
      Connection connection, long buyerId, long after, boolean newestFirst, int limit)
      throws SQLException {
    return LINES.rows(
        connection,
        newestFirst
            ? "WHERE buyer_id = ? AND id < ? ORDER BY id DESC LIMIT ?"
            : "WHERE buyer_id = ? AND id > ? ORDER BY id LIMIT ?",
        buyerId,
        newestFirst && after == 0 ? Long.MAX_VALUE : after,
        limit);
  }

  /// Finds the purchase of a line: its lines have consecutive ids.
  public static Purchase purchaseOf(Connection connection, PurchasedLine line) throws SQLException {
    return PURCHASES
        .row(connection, "WHERE first_line <= ? ORDER BY first_line DESC", line.id())
        .orElseThrow(() ->
            new CorruptDataException(
                format("damaged table: line %d belongs to no purchase", line.id())));
  }

  /// Returns the states of a buyer's purchases of an item that were not returned, oldest first, up
  /// to the first that is captured.
  public static Set<Purchase.State> statesOf(Connection connection, long buyerId, long itemId)
      throws SQLException {
    var states = EnumSet.noneOf(Purchase.State.class);
    for (PurchasedLine line :
        LINES.rows(
            connection,
            "WHERE buyer_id = ? AND item_id = ? AND returned = 0 ORDER BY id LIMIT ?",
            buyerId,
            itemId,
            MAX_PENDING)) {
      states.add(purchaseOf(connection, line).state());
      if (states.contains(Purchase.State.CAPTURED)) {
        break;
      }
    }
    return states;
  }

  private static void set(WriterStatement row, Purchase it) throws SQLException {
    Purchase.SaleRecord sale = it.sale();
    row.set(it.id())
        .set(it.state().name())
        .set(it.owner().buyerId())
        .set(it.owner().sessionId())
        .set(it.key().stored())
        .set(it.key().clientMade())
        .set(CartStore.json(it.cart()))
        .set(it.fromSessionCart())
        .set(CartStore.json(it.fromSaved()))
        .set(it.begunAt().toEpochMilli())
        .set(sale == null ? null : sale.number())
        .set(sale == null ? null : sale.soldAt().toEpochMilli())
        .set(sale == null ? null : sale.firstLine())
        .set(it.returnNumber());
  }

  private static Purchase purchase(ResultSet row) throws SQLException {
    Long saleNumber = number(row, "sale_number");
    String[] key = row.getString("key").split("\n", 2);
    return new Purchase(
        row.getString("id"),
        state(row.getString("state")),
        new CartOwner(row.getLong("buyer_id"), row.getLong("session_id")),
        new RequestKey(key[0], key[1], row.getBoolean("client_made")),
        CartStore.cart(row.getString("lines")),
        row.getBoolean("session_cart"),
        CartStore.cart(row.getString("from_saved")),
        Instant.ofEpochMilli(row.getLong("begun_at")),
        saleNumber == null
            ? null
            : new Purchase.SaleRecord(
                saleNumber,
                Instant.ofEpochMilli(row.getLong("sold_at")),
                row.getLong("first_line")),
        number(row, "return_number"));
  }

  /// Earlier versions also recorded that the payment is authorised.
  private static Purchase.State state(String name) {
    return name.equals("AUTHORISED") ? Purchase.State.AUTHORISING : Purchase.State.valueOf(name);
  }

  private static @Nullable Long number(ResultSet row, String column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : (Long) number;
  }

  private static void set(WriterStatement row, Answer<?> answer) throws SQLException {
    switch (answer) {
      case Done(CartContents cart, _) ->
          row.set(CART).set(null).set(null).set(CartStore.json(cart));
      case Done(Sold(long units, long number), _) -> row.set(SOLD).set(number).set(units).set(null);
      case Refusal(ErrorReason reason, String message, _) ->
          row.set(reason.name()).set(null).set(null).set(message);
      default -> throw new IllegalStateException("an answer without columns: " + answer);
    }
  }

  private static Answer<?> answer(ResultSet row) throws SQLException {
    String outcome = row.getString("outcome");
    return switch (outcome) {
      case CART -> new Done<>(CartStore.carts(row.getString("detail")));
      case SOLD -> new Done<>(new Sold(row.getLong("units"), row.getLong("number")));
      default -> new Refusal<>(ErrorReason.valueOf(outcome), row.getString("detail"));
    };
  }
}
