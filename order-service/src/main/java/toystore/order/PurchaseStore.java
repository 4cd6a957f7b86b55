package toystore.order;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.order.OrderCommand.BegunPurchase.Sold;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.Answer.Done;
import toystore.platform.idempotency.Answer.Refusal;
import toystore.platform.idempotency.IdempotencyRecord;
import toystore.platform.idempotency.IdempotencyRecords;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.storage.ChecksummedStatement;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.CorruptDataException;

/// The tables `purchase`, `purchase_line` and `answer`. An instance writes to them, only on the
/// writer thread and its connection. The static methods read and accept any connection.
final class PurchaseStore {
  static final ChecksummedTable<Purchase> PURCHASES =
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
              row.set(it.id)
                  .set(it.buyerId)
                  .set(it.line.itemId())
                  .set(it.line.name())
                  .set(it.line.quantity())
                  .set(it.line.priceCents())
                  .set(it.soldAt.toEpochMilli())
                  .set(it.returned),
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

  static final ChecksummedTable<IdempotencyRecord<OrderRefusal>> ANSWERS =
      IdempotencyRecords.table(
          "answer",
          List.of("outcome", "number", "units", "detail"),
          PurchaseStore::set,
          PurchaseStore::answer);

  /// The condition of the index of open purchases; SQLite uses the index only if a query has it.
  private static final String OPEN =
      "WHERE state IN ('AUTHORISING', 'AUTHORISED', 'SOLD', 'VOIDING', 'RETURNING')";

  /// Maximum number of lines that are read to find one whose payment is captured.
  private static final int MAX_PENDING = 1_000;

  private static final String ORDER = " ORDER BY state, id";
  private static final String CART = "CART";
  private static final String SOLD = "SOLD";

  /// A line that a buyer bought.
  ///
  /// @param id orders the lines by the time of their commit
  record PurchasedLine(long id, long buyerId, CartLine line, Instant soldAt, boolean returned) {}

  private final ChecksummedTable<Purchase>.Writer purchases;
  private final ChecksummedTable<PurchasedLine>.Writer lines;
  private final ChecksummedTable<IdempotencyRecord<OrderRefusal>>.Writer replacedAnswers;
  private final PreparedStatement deleteUnsold;

  PurchaseStore(Connection writing) throws SQLException {
    purchases = PURCHASES.upserts(writing);
    lines = LINES.upserts(writing);
    replacedAnswers = ANSWERS.upserts(writing);
    deleteUnsold =
        writing.prepareStatement(
            """
            DELETE FROM purchase WHERE id IN
              (SELECT id FROM purchase WHERE state IN ('DECLINED', 'VOIDED') AND begun_at < ? LIMIT ?)
            """);
  }

  void put(Purchase purchase) throws SQLException {
    purchases.put(purchase);
    boolean isReturned = purchase.state() == Purchase.State.RETURNING;
    if (purchase.sale() != null && (isReturned || purchase.state() == Purchase.State.SOLD)) {
      long id = purchase.sale().firstLine();
      for (CartLine line : purchase.cart().lines()) {
        lines.put(
            new PurchasedLine(
                id++, purchase.owner().buyerId(), line, purchase.sale().soldAt(), isReturned));
      }
    }
  }

  void replaceAnswer(IdempotencyRecord<OrderRefusal> answer) throws SQLException {
    replacedAnswers.put(answer);
  }

  /// Deletes purchases that ended without a sale. Nothing refers to them: the answers to their keys
  /// are rows of their own, and their payments are without money.
  void deleteUnsold(Instant begunBefore, int limit) throws SQLException {
    deleteUnsold.setLong(1, begunBefore.toEpochMilli());
    deleteUnsold.setInt(2, limit);
    deleteUnsold.executeUpdate();
  }

  static Optional<Purchase> find(Connection connection, String id) throws SQLException {
    return PURCHASES.row(connection, "WHERE id = ?", id);
  }

  /// Finds the purchase of a key for which it is not decided yet whether it is sold.
  static Optional<Purchase> undecided(Connection connection, RequestKey key) throws SQLException {
    return PURCHASES.row(
        connection, "WHERE key = ? AND state IN ('AUTHORISING', 'AUTHORISED')", key.stored());
  }

  /// Returns purchases that are not finished.
  static List<Purchase> open(Connection connection, int limit) throws SQLException {
    return PURCHASES.rows(connection, OPEN + ORDER + " LIMIT ?", limit);
  }

  /// Returns purchases that are neither sold nor finished, without damaged rows: they delay no
  /// other purchase, and the audit reports them.
  static List<Purchase> unsold(Connection connection, int limit) throws SQLException {
    return PURCHASES.intactRows(
        connection, limit, OPEN + " AND state IN ('AUTHORISING', 'AUTHORISED', 'VOIDING')" + ORDER);
  }

  /// Returns purchases that are sold and not finished, without damaged rows.
  static List<Purchase> sold(Connection connection, int limit) throws SQLException {
    return PURCHASES.intactRows(
        connection, limit, OPEN + " AND state IN ('SOLD', 'RETURNING')" + ORDER);
  }

  /// Returns the purchases whose sale or return has a number in a range.
  static List<Purchase> numbered(Connection connection, boolean returns, long from, long to)
      throws SQLException {
    String number = returns ? "return_number" : "sale_number";
    return PURCHASES.rows(
        connection,
        String.format(Locale.ROOT, "WHERE %1$s >= ? AND %1$s < ? ORDER BY %1$s", number),
        from,
        to);
  }

  /// Whether the purchase of a sale or return is recorded with its number.
  static boolean has(Connection connection, ItemSale sale) throws SQLException {
    return numbered(connection, sale.isReturn(), sale.number(), sale.number() + 1).stream()
        .anyMatch(it -> SaleKey.of(it, sale.isReturn()).stored().equals(sale.key()));
  }

  /// The highest number of a recorded sale or return; -1 if there is none.
  static long lastNumber(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                """
                SELECT max(
                  coalesce((SELECT max(sale_number) FROM purchase WHERE sale_number IS NOT NULL), -1),
                  coalesce((SELECT max(return_number) FROM purchase WHERE return_number IS NOT NULL), -1))
                """);
        ResultSet row = statement.executeQuery()) {
      return row.getLong(1);
    }
  }

  static long captured(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT count(*) FROM purchase WHERE state = 'CAPTURED'");
        ResultSet row = statement.executeQuery()) {
      return row.getLong(1);
    }
  }

  /// The id of the next line that is bought.
  static long nextLine(Connection connection) throws SQLException {
    return LINES.row(connection, "ORDER BY id DESC").map(it -> it.id + 1).orElse(1L);
  }

  /// Returns the next lines of a buyer, oldest first.
  static List<PurchasedLine> lines(Connection connection, long buyerId, long after, int limit)
      throws SQLException {
    return LINES.rows(
        connection, "WHERE buyer_id = ? AND id > ? ORDER BY id LIMIT ?", buyerId, after, limit);
  }

  /// Returns the next older lines of a buyer, newest first.
  ///
  /// @param before only ids below this one; 0: all
  static List<PurchasedLine> newestLines(
      Connection connection, long buyerId, long before, int limit) throws SQLException {
    return LINES.rows(
        connection,
        "WHERE buyer_id = ? AND id < ? ORDER BY id DESC LIMIT ?",
        buyerId,
        before == 0 ? Long.MAX_VALUE : before,
        limit);
  }

  /// Finds the purchase of a line: its lines have consecutive ids.
  static Purchase purchaseOf(Connection connection, PurchasedLine line) throws SQLException {
    return PURCHASES
        .row(connection, "WHERE first_line <= ? ORDER BY first_line DESC", line.id)
        .orElseThrow(() ->
            new CorruptDataException(
                String.format(
                    Locale.ROOT, "damaged table: line %d belongs to no purchase", line.id)));
  }

  /// Returns the states of a buyer's purchases of an item that were not returned, oldest first, up
  /// to the first that is captured.
  static Set<Purchase.State> statesOf(Connection connection, long buyerId, long itemId)
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

  private static void set(ChecksummedStatement row, Purchase it) throws SQLException {
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
        .set(sale == null ? null : (Long) sale.number())
        .set(sale == null ? null : (Long) sale.soldAt().toEpochMilli())
        .set(sale == null ? null : (Long) sale.firstLine())
        .set(it.returnNumber());
  }

  private static Purchase purchase(ResultSet row) throws SQLException {
    Long saleNumber = number(row, "sale_number");
    String[] key = row.getString("key").split("\n", 2);
    return new Purchase(
        row.getString("id"),
        Purchase.State.valueOf(row.getString("state")),
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

  private static @Nullable Long number(ResultSet row, String column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : (Long) number;
  }

  private static void set(ChecksummedStatement row, Answer<?, OrderRefusal> answer)
      throws SQLException {
    switch (answer) {
      case Done(CartContents cart, _) ->
          row.set(CART).setNull().setNull().set(CartStore.json(cart));
      case Done(Sold(long units, long number), _) -> row.set(SOLD).set(number).set(units).setNull();
      case Refusal(OrderRefusal reason, String message, _) ->
          row.set(reason.name()).setNull().setNull().set(message);
      default -> throw new IllegalStateException("an answer without columns: " + answer);
    }
  }

  private static Answer<?, OrderRefusal> answer(ResultSet row) throws SQLException {
    String outcome = row.getString("outcome");
    return switch (outcome) {
      case CART -> new Done<>(CartStore.carts(row.getString("detail")));
      case SOLD -> new Done<>(new Sold(row.getLong("units"), row.getLong("number")));
      default -> new Refusal<>(OrderRefusal.valueOf(outcome), row.getString("detail"));
    };
  }
}
