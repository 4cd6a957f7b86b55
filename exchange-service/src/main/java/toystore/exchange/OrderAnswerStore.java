package toystore.exchange;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.exchange.ExchangeResult.OrderFound;
import toystore.exchange.ExchangeResult.OrderOpened;
import toystore.exchange.ExchangeResult.Reason;
import toystore.exchange.ExchangeResult.RefusedCommand;
import toystore.exchange.ExchangeResult.SharesAdded;
import toystore.exchange.ExchangeResult.TradePage;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.Position;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.ReadPool;

/// Reads orders from committed rows, so that no query waits for the writer or delays it. What was
/// answered before a query began is committed, so the query sees it. Any thread.
public final class OrderAnswerStore {
  private static final Logger log = LoggerFactory.getLogger(OrderAnswerStore.class);

  /// Trades of a page, where a request does not say how many.
  static final int PAGE = 50;

  /// Trades of an answer over XML.
  static final int NEWEST = 1_000;

  private final CashAccountStore accounts;
  private final LimitOrderStore orders;

  OrderAnswerStore(CashAccountStore accounts, LimitOrderStore orders) {
    this.accounts = accounts;
    this.orders = orders;
  }

  /// Reads an order and its trades in one snapshot.
  @FunctionalInterface
  private interface Trades {
    TradePage of(LimitOrder order) throws SQLException;
  }

  /// Returns an order with its newest trades, at most [#NEWEST].
  public CompletionStage<ExchangeResult> newest(ReadPool readers, ExchangeRequest.FindOrder query) {
    return readers.read(connection ->
        find(
            connection,
            query,
            order -> {
              var newest = orders.newestTradesOf(connection, order, NEWEST);
              long all =
                  newest.size() < NEWEST
                      ? newest.size()
                      : LimitOrderStore.countTradesOf(connection, order);
              return new TradePage(newest, all - newest.size());
            }));
  }

  /// Returns an order with a page of its trades.
  ///
  /// @param after the trades after this one
  ExchangeResult page(Connection connection, ExchangeRequest.FindOrder query, long after, int limit)
      throws SQLException {
    return find(
        connection,
        query,
        order -> TradePage.first(orders.tradesOf(connection, order, after, limit + 1), limit));
  }

  private ExchangeResult find(Connection connection, ExchangeRequest.FindOrder query, Trades trades)
      throws SQLException {
    try {
      return CashAccountStore.inSnapshot(
          connection,
          () -> {
            Optional<CashAccount> account = CashAccountStore.find(connection, query.account());
            if (account.isEmpty()) {
              return new RefusedCommand(Reason.ACCOUNT_NOT_FOUND, "account not found");
            }
            Optional<LimitOrder> order =
                orders
                    .find(connection, query.order())
                    .filter(it -> it.account() == account.get().number());
            if (order.isEmpty()) {
              return new RefusedCommand(Reason.ORDER_NOT_FOUND, "order not found");
            }
            return new OrderFound(order.get(), trades.of(order.get()));
          });
    } catch (CorruptDataException e) {
      log.error("{}", e.getMessage());
      return new RefusedCommand(Reason.DAMAGED, "internal error");
    }
  }

  /// Returns the first answer to a known key.
  ExchangeResult known(Connection connection, KeyedAnswer answer) throws SQLException {
    return switch (answer.outcome()) {
      case KeyedAnswer.SHARES_ADDED ->
          added(accounts.position(connection, answer.number()), answer);
      case KeyedAnswer.ORDER_OPENED ->
          CashAccountStore.inSnapshot(connection, () -> opened(connection, answer.number()));
      default -> throw new IllegalStateException("not an answer to be read: " + answer);
    };
  }

  private static SharesAdded added(Position now, KeyedAnswer answer) {
    return new SharesAdded(
        new Position(
            now.number(), now.account(), now.symbol(), answer.sharesE4(), answer.reservedE4()),
        true);
  }

  /// An order as it was opened, with the first trades that it made at once: those with earlier
  /// orders.
  private OrderOpened opened(Connection connection, long number) throws SQLException {
    LimitOrder now =
        orders
            .find(connection, number)
            .orElseThrow(() ->
                new CorruptDataException(
                    String.format(Locale.ROOT, "damaged table: order %d is missing", number)));
    var atOnce =
        orders.tradesOf(connection, now, 0, PAGE + 1).stream()
            .filter(it -> Math.max(it.buyOrder(), it.sellOrder()) == number)
            .toList();
    var order =
        new LimitOrder(
            number,
            now.account(),
            now.symbol(),
            now.side(),
            now.sharesE4(),
            now.limitE4(),
            now.sharesE4() - LimitOrderStore.executedAtOnceE4(connection, now),
            0,
            now.openedAt(),
            0);
    return new OrderOpened(order, TradePage.first(atOnce, PAGE), true);
  }
}
