package toystore.order.storage;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import toystore.order.domain.Cart;
import toystore.order.domain.CartContents;
import toystore.order.domain.CartContents.SavedCart;
import toystore.order.domain.CartContents.SessionCart;
import toystore.order.domain.CartLine;
import toystore.order.domain.CartOwner;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.Database;
import toystore.platform.storage.WriterStatement;

/// The tables `saved_cart` and `session_cart`, and the JSON of carts in all tables. An instance
/// writes and belongs to the writer's thread; the static methods read on any connection.
public final class CartStore {
  private static final JsonMapper JSON =
      JsonMapper.builder().addMixIn(CartLine.class, LineColumns.class).build();
  private static final ObjectReader LINES = JSON.readerForListOf(CartLine.class);
  private static final ObjectReader CARTS =
      JSON.readerFor(new TypeReference<List<List<CartLine>>>() {});

  /// JSON of a line: `[item id, name, quantity, price in cents]`.
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  @JsonPropertyOrder({"itemId", "name", "quantity", "priceCents"})
  private interface LineColumns {}

  private static final ChecksummedTable<SavedCart> SAVED =
      new ChecksummedTable<>(
          "saved_cart",
          "buyer_id",
          List.of("buyer_id", "lines"),
          (row, it) -> row.set(it.buyerId()).set(json(it.cart())),
          row -> new SavedCart(row.getLong("buyer_id"), cart(row.getString("lines"))));

  private static final ChecksummedTable<SessionCart> SESSIONS =
      new ChecksummedTable<>(
          "session_cart",
          "session_id",
          List.of("session_id", "buyer_id", "lines"),
          (row, it) ->
              row.set(it.sessionId()).set(it.buyerId()).set(json(requireNonNull(it.cart()))),
          row ->
              new SessionCart(
                  row.getLong("session_id"),
                  row.getLong("buyer_id"),
                  cart(row.getString("lines"))));

  private final ChecksummedTable<SavedCart>.Writer saved;
  private final ChecksummedTable<SessionCart>.Writer sessions;
  private final WriterStatement deleteSaved;
  private final WriterStatement deleteSession;

  CartStore(Database database) {
    saved = SAVED.upserts(database);
    sessions = SESSIONS.upserts(database);
    deleteSaved = database.statement("DELETE FROM saved_cart WHERE buyer_id = ?");
    deleteSession = database.statement("DELETE FROM session_cart WHERE session_id = ?");
  }

  void put(SavedCart row) throws SQLException {
    if (row.cart().isEmpty()) {
      deleteSaved.add(row.buyerId());
    } else {
      saved.put(row);
    }
  }

  void put(SessionCart row) throws SQLException {
    if (row.cart() == null) {
      deleteSession.add(row.sessionId());
    } else {
      sessions.put(row);
    }
  }

  public static CartContents find(Connection connection, CartOwner owner) throws SQLException {
    return CartContents.of(
        owner,
        ofSession(connection, owner.sessionId()).orElse(null),
        saved(connection, owner.buyerId()).orElse(null));
  }

  static Optional<SessionCart> ofSession(Connection connection, long id) throws SQLException {
    return SESSIONS.row(connection, "WHERE session_id = ?", id);
  }

  static Optional<SavedCart> saved(Connection connection, long buyerId) throws SQLException {
    return SAVED.row(connection, "WHERE buyer_id = ?", buyerId);
  }

  /// The next sessions with an intact cart of their own, by id.
  static List<Long> sessions(Connection connection, long after, int limit) throws SQLException {
    return SESSIONS
        .intactRows(connection, limit, "WHERE session_id > ? ORDER BY session_id", after)
        .stream()
        .map(SessionCart::sessionId)
        .toList();
  }

  static String json(Cart cart) {
    return JSON.writeValueAsString(cart.lines());
  }

  static Cart cart(String json) {
    List<CartLine> lines = LINES.readValue(json);
    return new Cart(lines);
  }

  static String json(CartContents carts) {
    return JSON.writeValueAsString(List.of(carts.view().lines(), carts.saved().lines()));
  }

  static CartContents carts(String json) {
    List<List<CartLine>> carts = CARTS.readValue(json);
    return new CartContents(new Cart(carts.getFirst()), new Cart(carts.getLast()));
  }
}
