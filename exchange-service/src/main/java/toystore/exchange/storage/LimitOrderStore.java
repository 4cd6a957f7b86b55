package toystore.exchange.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Side;
import toystore.platform.storage.ChecksummedTable;

/// The tables `limit_order` and `trade`. A start reads many rows, so columns are read by position,
/// that in the table's list. Any thread, each with its own connection.
public final class LimitOrderStore {
  private final ChecksummedTable<LimitOrder> orders;
  private final ChecksummedTable<MatchedTrade> trades;

  public LimitOrderStore(SymbolStore symbols) {
    orders =
        new ChecksummedTable<>(
            "limit_order",
            "number",
            List.of(
                "number",
                "account",
                "symbol",
                "sells",
                "shares_e4",
                "limit_e4",
                "open_e4",
                "canceled_e4",
                "opened_at",
                "canceled_at"),
            (row, order) ->
                row.set(order.number())
                    .set(order.account())
                    .set(order.symbol().number())
                    .set(order.side() == Side.SELL)
                    .set(order.sharesE4())
                    .set(order.limitE4())
                    .set(order.openE4())
                    .set(order.canceledE4())
                    .set(order.openedAt())
                    .set(order.canceledAt()),
            row ->
                new LimitOrder(
                    row.getLong(1),
                    row.getLong(2),
                    symbols.of(row, 3),
                    row.getBoolean(4) ? Side.SELL : Side.BUY,
                    row.getLong(5),
                    row.getLong(6),
                    row.getLong(7),
                    row.getLong(8),
                    row.getLong(9),
                    row.getLong(10)));
    trades =
        new ChecksummedTable<>(
            "trade",
            "number",
            List.of(
                "number",
                "symbol",
                "price_e4",
                "shares_e4",
                "buy_order",
                "sell_order",
                "executed_at"),
            (row, trade) ->
                row.set(trade.number())
                    .set(trade.symbol().number())
                    .set(trade.priceE4())
                    .set(trade.sharesE4())
                    .set(trade.buyOrder())
                    .set(trade.sellOrder())
                    .set(trade.executedAt()),
            row ->
                new MatchedTrade(
                    row.getLong(1),
                    symbols.of(row, 2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6),
                    row.getLong(7)));
  }

  ChecksummedTable<LimitOrder> orders() {
    return orders;
  }

  ChecksummedTable<MatchedTrade> trades() {
    return trades;
  }

  Optional<LimitOrder> find(Connection connection, long number) throws SQLException {
    return orders.row(connection, "WHERE number = ?", number);
  }

  List<LimitOrder> open(Connection connection, long after, int limit) throws SQLException {
    return orders.rows(
        connection, "WHERE open_e4 > 0 AND number > ? ORDER BY number LIMIT ?", after, limit);
  }

  /// The latest first.
  public List<LimitOrder> ofAccount(Connection connection, long account, long before, int limit)
      throws SQLException {
    return orders.rows(
        connection,
        "WHERE account = ? AND number < ? ORDER BY number DESC LIMIT ?",
        account,
        before,
        limit);
  }

  /// In their order.
  List<MatchedTrade> tradesOf(Connection connection, LimitOrder order, long after, int limit)
      throws SQLException {
    return trades.rows(
        connection,
        "WHERE " + column(order) + " = ? AND number > ? ORDER BY number LIMIT ?",
        order.number(),
        after,
        limit);
  }

  /// In their order.
  List<MatchedTrade> newestTradesOf(Connection connection, LimitOrder order, int limit)
      throws SQLException {
    return trades
        .rows(
            connection,
            "WHERE " + column(order) + " = ? ORDER BY number DESC LIMIT ?",
            order.number(),
            limit)
        .reversed();
  }

  /// Reads an index only.
  static long countTradesOf(Connection connection, LimitOrder order) throws SQLException {
    return number(
        connection, "SELECT count(*) FROM trade WHERE " + column(order) + " = ?", order.number());
  }

  /// The shares of its trades with earlier orders.
  static long executedAtOnceE4(Connection connection, LimitOrder order) throws SQLException {
    return number(
        connection,
        format(
            "SELECT coalesce(sum(shares_e4), 0) FROM trade WHERE %s = ? AND %s < ?",
            column(order), order.side() == Side.SELL ? "buy_order" : "sell_order"),
        order.number(),
        order.number());
  }

  /// In all of its trades.
  static long executedE4(Connection connection, long order, Side side) throws SQLException {
    return number(
        connection,
        format(
            "SELECT CAST(coalesce(sum(shares_e4), 0) AS bigint) FROM trade WHERE %s = ?",
            column(side)),
        order);
  }

  private static String column(LimitOrder order) {
    return column(order.side());
  }

  private static String column(Side side) {
    return side == Side.SELL ? "sell_order" : "buy_order";
  }

  private static long number(Connection connection, String query, long... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setLong(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /// The latest first.
  public List<MatchedTrade> tradesBefore(Connection connection, long symbol, long before, int limit)
      throws SQLException {
    return trades.rows(
        connection,
        "WHERE symbol = ? AND number < ? ORDER BY number DESC LIMIT ?",
        symbol,
        before,
        limit);
  }

  /// From `after` (exclusive) to `last` (inclusive), in their order.
  ///
  /// @param symbol its number; 0: all
  public List<MatchedTrade> tradesAfter(
      Connection connection, long symbol, long after, long last, int limit) throws SQLException {
    return symbol == 0
        ? trades.rows(
            connection,
            "WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
            after,
            last,
            limit)
        : trades.rows(
            connection,
            "WHERE symbol = ? AND number > ? AND number <= ? ORDER BY number LIMIT ?",
            symbol,
            after,
            last,
            limit);
  }

  long lastOrder(Connection connection) throws SQLException {
    return orders.row(connection, "ORDER BY number DESC").map(LimitOrder::number).orElse(0L);
  }

  long lastTrade(Connection connection) throws SQLException {
    return trades.row(connection, "ORDER BY number DESC").map(MatchedTrade::number).orElse(0L);
  }
}
