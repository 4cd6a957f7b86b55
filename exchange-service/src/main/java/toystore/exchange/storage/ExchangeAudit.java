package toystore.exchange.storage;

import static toystore.common.RootLocale.format;
import static toystore.exchange.storage.CashAccountStore.ACCOUNTS;
import static toystore.exchange.storage.CashAccountStore.DEPOSITS;
import static toystore.exchange.storage.SymbolStore.SYMBOLS;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.ShareDeposit;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.FixedPoint;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Position;
import toystore.exchange.engine.Side;
import toystore.platform.service.Audit;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.IntegrityCheck;
import toystore.platform.storage.ReadPool;

/// Checks the invariants of the exchange and the checksum of each row. Orders, trades and deposits
/// are checked once, a page in a transaction, until a full audit starts again; that also runs
/// SQLite's integrity check. Accounts, positions and open orders are always compared as a whole, in
/// one transaction, so the sums are right under load.
///
/// Any thread may call it. The one thread of the pool owns the remembered state.
public final class ExchangeAudit implements Audit {
  private static final int PAGE = 5_000;
  private static final String CASH = "cash";
  private static final String SHARES = "shares";
  private static final String RESERVATIONS = "reservations";
  private static final String BOOKS = "books";
  private static final String TRADES = "trades";
  private static final String NUMBERS = "numbers";
  private static final String ROWS = "rows as written";

  private final ReadPool reader;
  private final CashAccountStore accounts;
  private final LimitOrderStore orders;
  private long checkedOrders;
  private long checkedTrades;
  private long checkedDeposits;
  private final Map<Long, BigInteger> deposited = new HashMap<>(); // by symbol
  private final Map<String, String> kept = new HashMap<>(); // first difference of rows checked once

  /// @param reader with one thread
  public ExchangeAudit(ReadPool reader, CashAccountStore accounts, LimitOrderStore orders) {
    this.reader = reader;
    this.accounts = accounts;
    this.orders = orders;
  }

  @Override
  public CompletionStage<List<AuditCheckResult>> run(boolean full) {
    return reader
        .read(connection -> run(connection, full))
        .exceptionally(failure -> List.of(AuditCheckResult.failed(ROWS, failure)));
  }

  private List<AuditCheckResult> run(Connection connection, boolean full) throws SQLException {
    if (full) {
      checkedOrders = 0;
      checkedTrades = 0;
      checkedDeposits = 0;
      deposited.clear();
      kept.clear();
      IntegrityCheck.integrityCheck(connection);
      AnswerStore.table(accounts).checkAll(connection, "", PAGE);
    }
    int rows;
    do {
      rows = CashAccountStore.inSnapshot(connection, () -> checkOrders(connection));
    } while (rows == PAGE);
    do {
      rows = CashAccountStore.inSnapshot(connection, () -> checkTrades(connection));
    } while (rows == PAGE);
    return CashAccountStore.inSnapshot(connection, () -> new WholeState(connection).check());
  }

  private void keep(String check, String difference) {
    kept.putIfAbsent(check, difference);
  }

  /// Against their trades.
  ///
  /// @return number of rows
  private int checkOrders(Connection connection) throws SQLException {
    List<LimitOrder> page =
        orders
            .orders()
            .rows(connection, "WHERE number > ? ORDER BY number LIMIT ?", checkedOrders, PAGE);
    for (LimitOrder order : page) {
      if (order.number() != checkedOrders + 1) {
        keep(NUMBERS, format("order %d is missing", checkedOrders + 1));
      }
      checkedOrders = order.number();
      if (order.sharesE4() < 1
          || order.limitE4() < 1
          || order.openE4() < 0
          || order.canceledE4() < 0
          || order.executedE4() < 0
          || (order.canceledE4() > 0 && order.openE4() > 0)) {
        keep(TRADES, format("order %d has impossible shares", order.number()));
      }
      checkExecuted(connection, order.number(), order.side(), order.executedE4());
    }
    return page.size();
  }

  private void checkExecuted(Connection connection, long order, Side side, long expectedE4)
      throws SQLException {
    long sum = LimitOrderStore.executedE4(connection, order, side);
    if (sum != expectedE4) {
      keep(
          TRADES,
          format(
              "order %d: %s shares executed, %s in its trades",
              order, shares(expectedE4), shares(sum)));
    }
  }

  /// Against their two orders. The sum of an order's trades is compared at the last of them.
  ///
  /// @return number of rows
  private int checkTrades(Connection connection) throws SQLException {
    ChecksummedTable<MatchedTrade> table = orders.trades();
    String select =
        format(
            """
            SELECT %s,
              buy.symbol AS buy_symbol, buy.sells AS buy_sells, buy.limit_e4 AS buy_limit,
              buy.shares_e4 - buy.open_e4 - buy.canceled_e4 AS buy_executed,
              (SELECT max(number) FROM trade AS other WHERE other.buy_order = trade.buy_order) AS buy_last,
              sell.symbol AS sell_symbol, sell.sells AS sell_sells, sell.limit_e4 AS sell_limit,
              sell.shares_e4 - sell.open_e4 - sell.canceled_e4 AS sell_executed,
              (SELECT max(number) FROM trade AS other WHERE other.sell_order = trade.sell_order) AS sell_last
            FROM trade
              LEFT JOIN limit_order AS buy ON buy.number = trade.buy_order
              LEFT JOIN limit_order AS sell ON sell.number = trade.sell_order
            WHERE trade.number > ? ORDER BY trade.number LIMIT ?
            """,
            table.selected());
    int rows = 0;
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setLong(1, checkedTrades);
      statement.setInt(2, PAGE);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          table.check(row, 1);
          MatchedTrade trade = table.mapping().read(row);
          if (trade.number() != checkedTrades + 1) {
            keep(NUMBERS, format("trade %d is missing", checkedTrades + 1));
          }
          checkedTrades = trade.number();
          checkSides(trade, row);
          if (row.getLong("buy_last") == trade.number()) {
            checkExecuted(connection, trade.buyOrder(), Side.BUY, row.getLong("buy_executed"));
          }
          if (row.getLong("sell_last") == trade.number()) {
            checkExecuted(connection, trade.sellOrder(), Side.SELL, row.getLong("sell_executed"));
          }
          rows++;
        }
      }
    }
    return rows;
  }

  private void checkSides(MatchedTrade trade, ResultSet row) throws SQLException {
    long symbol = trade.symbol().number();
    long buyLimit = row.getLong("buy_limit");
    long sellLimit = row.getLong("sell_limit");
    if (trade.sharesE4() < 1
        || row.getLong("buy_symbol") != symbol
        || row.getLong("sell_symbol") != symbol
        || row.getBoolean("buy_sells")
        || !row.getBoolean("sell_sells")) {
      keep(
          TRADES,
          format(
              "trade %d does not join a buy order and a sell order of its symbol", trade.number()));
    } else if (trade.priceE4() != (trade.buyOrder() < trade.sellOrder() ? buyLimit : sellLimit)
        || sellLimit > buyLimit) {
      keep(
          TRADES,
          format(
              "trade %d: price %s of buy order %d at %s and sell order %d at %s",
              trade.number(),
              shares(trade.priceE4()),
              trade.buyOrder(),
              shares(buyLimit),
              trade.sellOrder(),
              shares(sellLimit)));
    }
  }

  private static String shares(long amountE4) {
    return FixedPoint.format(amountE4, FixedPoint.SHARES);
  }

  /// Accounts, positions and open orders as they are after one commit.
  private final class WholeState {
    private final Connection connection;
    private final Map<String, String> found = new HashMap<>();
    private final Map<Long, BigInteger> held = new HashMap<>(); // shares by symbol
    private long accountCount;
    private long positionCount;
    private long openCount;

    WholeState(Connection connection) {
      this.connection = connection;
    }

    List<AuditCheckResult> check() throws SQLException {
      Map<Long, LimitOrder> bestBids = compareCash();
      Map<Long, LimitOrder> bestAsks = comparePositions();
      bestBids.forEach((symbol, bid) -> compareBest(bid, bestAsks.get(symbol)));
      compareDeposits();
      String checked =
          format(
              "checked %d accounts, %d positions, %d open orders, orders up to %d, trades up to %d",
              accountCount, positionCount, openCount, checkedOrders, checkedTrades);
      return List.of(
          result(CASH, "deposits equal cash and reserved cash"),
          result(SHARES, "deposits equal shares and reserved shares of each symbol"),
          result(RESERVATIONS, "equal the open orders"),
          result(BOOKS, "no open buy order reaches an open sell order"),
          result(TRADES, "each is part of a buy and a sell order and within their limits"),
          result(NUMBERS, "consecutive"),
          new AuditCheckResult(ROWS, true, "all checksums match, " + checked));
    }

    private AuditCheckResult result(String check, String confirmation) {
      return AuditCheckResult.of(check, kept.getOrDefault(check, found.get(check)), confirmation);
    }

    private void find(String check, String difference) {
      found.putIfAbsent(check, difference);
    }

    /// With deposits and open buy orders.
    ///
    /// @return the best open buy order of each symbol
    private Map<Long, LimitOrder> compareCash() throws SQLException {
      BigInteger deposits = BigInteger.ZERO;
      BigInteger cash = BigInteger.ZERO;
      try (var buys = new OpenOrders(Side.BUY);
          PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT " + ACCOUNTS.selected() + " FROM account ORDER BY number");
          ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          ACCOUNTS.check(row, 1);
          CashAccount account = ACCOUNTS.mapping().read(row);
          if (account.number() != ++accountCount) {
            find(NUMBERS, format("account %d is missing", accountCount));
            accountCount = account.number();
          }
          if (account.cashE8() < 0) {
            find(CASH, format("account %d has less than no cash", account.number()));
          }
          deposits = deposits.add(BigInteger.valueOf(account.depositedE8()));
          cash = cash.add(BigInteger.valueOf(account.cashE8()));
          cash = cash.add(BigInteger.valueOf(account.reservedE8()));
          BigInteger reserved = buys.reserved(account.number(), 0);
          if (!reserved.equals(BigInteger.valueOf(account.reservedE8()))) {
            find(
                RESERVATIONS,
                format(
                    "account %d: %d e-8 reserved, %d e-8 in open buy orders",
                    account.number(), account.reservedE8(), reserved));
          }
        }
        if (!deposits.equals(cash)) {
          find(CASH, format("%d e-8 deposited, %d e-8 in the accounts", deposits, cash));
        }
        return buys.finish();
      }
    }

    /// With the open sell orders; adds up the shares of each symbol.
    ///
    /// @return the best open sell order of each symbol
    private Map<Long, LimitOrder> comparePositions() throws SQLException {
      ChecksummedTable<Position> table = accounts.positions();
      long last = 0;
      try (var sells = new OpenOrders(Side.SELL);
          PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT " + table.selected() + " FROM position ORDER BY account, symbol");
          ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          table.check(row, 1);
          Position position = table.mapping().read(row);
          positionCount++;
          last = Math.max(last, position.number());
          long symbol = position.symbol().number();
          if (position.sharesE4() < 0) {
            find(SHARES, format("position %d has less than no shares", position.number()));
          }
          held.merge(symbol, BigInteger.valueOf(position.sharesE4()), BigInteger::add);
          held.merge(symbol, BigInteger.valueOf(position.reservedE4()), BigInteger::add);
          BigInteger reserved = sells.reserved(position.account(), symbol);
          if (!reserved.equals(BigInteger.valueOf(position.reservedE4()))) {
            find(
                RESERVATIONS,
                format(
                    "position %d: %d e-4 reserved, %d e-4 in open sell orders",
                    position.number(), position.reservedE4(), reserved));
          }
        }
        if (last != positionCount) {
          find(NUMBERS, format("%d positions, the last is %d", positionCount, last));
        }
        return sells.finish();
      }
    }

    private void compareBest(LimitOrder bid, @Nullable LimitOrder ask) {
      if (ask != null && bid.limitE4() >= ask.limitE4()) {
        find(
            BOOKS,
            format(
                "buy order %d at %s and sell order %d at %s are both open",
                bid.number(), shares(bid.limitE4()), ask.number(), shares(ask.limitE4())));
      }
    }

    /// Adds up those since the last check and compares the sums with the positions.
    private void compareDeposits() throws SQLException {
      String select =
          format(
              """
              SELECT %s, position.symbol AS position_symbol
              FROM share_deposit LEFT JOIN position ON position.number = share_deposit.position
              WHERE share_deposit.number > ? ORDER BY share_deposit.number
              """,
              DEPOSITS.selected());
      try (PreparedStatement statement = connection.prepareStatement(select)) {
        statement.setLong(1, checkedDeposits);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            DEPOSITS.check(row, 1);
            ShareDeposit deposit = DEPOSITS.mapping().read(row);
            if (deposit.number() != checkedDeposits + 1) {
              keep(NUMBERS, format("deposit %d is missing", checkedDeposits + 1));
            }
            checkedDeposits = deposit.number();
            if (row.getLong("position_symbol") != deposit.symbol()) {
              keep(SHARES, format("deposit %d has no position", deposit.number()));
            }
            deposited.merge(
                deposit.symbol(), BigInteger.valueOf(deposit.sharesE4()), BigInteger::add);
          }
        }
      }
      long number = 0;
      for (var symbol : SYMBOLS.rows(connection, "ORDER BY number")) {
        if (symbol.number() != ++number) {
          find(NUMBERS, format("symbol %d is missing", number));
          number = symbol.number();
        }
        BigInteger in = deposited.getOrDefault(number, BigInteger.ZERO);
        BigInteger now = held.getOrDefault(number, BigInteger.ZERO);
        if (!in.equals(now)) {
          find(
              SHARES,
              format("%s: %d e-4 deposited, %d e-4 in the positions", symbol.name(), in, now));
        }
      }
    }

    /// Of a side, in the order of account and symbol. SQLite sorts them, not the heap.
    private final class OpenOrders implements AutoCloseable {
      private final ChecksummedTable<LimitOrder> table = orders.orders();
      private final Side side;
      private final PreparedStatement statement;
      private final ResultSet row;
      private final Map<Long, LimitOrder> best = new HashMap<>();
      private @Nullable LimitOrder next;

      OpenOrders(Side side) throws SQLException {
        this.side = side;
        statement =
            connection.prepareStatement(
                format(
                    "SELECT %s FROM limit_order WHERE open_e4 > 0 AND sells = ? ORDER BY account, symbol",
                    table.selected()));
        statement.setLong(1, side == Side.SELL ? 1 : 0);
        row = statement.executeQuery();
        advance();
      }

      /// Cash (E8), or shares (E4) of a symbol. Called in the order of accounts and symbols.
      ///
      /// @param symbol 0: all
      BigInteger reserved(long account, long symbol) throws SQLException {
        BigInteger sum = BigInteger.ZERO;
        for (LimitOrder order = next;
            order != null && isUpTo(order, account, symbol);
            order = next) {
          if (order.account() == account && (symbol == 0 || order.symbol().number() == symbol)) {
            BigInteger open = BigInteger.valueOf(order.openE4());
            sum =
                sum.add(
                    side == Side.SELL ? open : open.multiply(BigInteger.valueOf(order.limitE4())));
          } else {
            stranger(order);
          }
          advance();
        }
        return sum;
      }

      private static boolean isUpTo(LimitOrder order, long account, long symbol) {
        return order.account() < account
            || (order.account() == account && (symbol == 0 || order.symbol().number() <= symbol));
      }

      private void advance() throws SQLException {
        if (!row.next()) {
          next = null;
          return;
        }
        table.check(row, 1);
        LimitOrder order = table.mapping().read(row);
        next = order;
        openCount++;
        best.merge(order.symbol().number(), order, this::better);
      }

      private LimitOrder better(LimitOrder one, LimitOrder other) {
        boolean isHigher = other.limitE4() > one.limitE4();
        return isHigher == (side == Side.BUY) ? other : one;
      }

      private void stranger(LimitOrder order) {
        find(
            RESERVATIONS,
            format(
                "open order %d has no %s",
                order.number(), side == Side.SELL ? "position" : "account"));
      }

      /// Reads the rest, which belongs to nobody.
      ///
      /// @return the best order of each symbol
      Map<Long, LimitOrder> finish() throws SQLException {
        for (LimitOrder order = next; order != null; order = next) {
          stranger(order);
          advance();
        }
        return best;
      }

      @Override
      public void close() throws SQLException {
        row.close();
        statement.close();
      }
    }
  }
}
