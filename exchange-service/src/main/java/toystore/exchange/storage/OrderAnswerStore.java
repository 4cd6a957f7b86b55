package toystore.exchange.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.exchange.domain.ExchangeRequest;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.domain.TradePage;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.LimitOrder;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.ReadPool;
import toystore.platform.text.Limits;

/// Reads orders from committed rows, so that no query waits for the writer or delays it. What was
/// answered before a query began is committed, so the query sees it. Any thread.
public final class OrderAnswerStore {
  private static final Logger log = LoggerFactory.getLogger(OrderAnswerStore.class);

  /// Over XML.
  static final int NEWEST = 1_000;

  private final CashAccountStore accounts;
  private final LimitOrderStore orders;

  public OrderAnswerStore(CashAccountStore accounts, LimitOrderStore orders) {
    this.accounts = accounts;
    this.orders = orders;
  }

  /// In one snapshot with the order.
  @FunctionalInterface
  private interface Trades {
    TradePage of(LimitOrder order) throws SQLException;
  }

  /// With at most [#NEWEST] trades.
  public CompletionStage<Answer<OrderWithTrades>> newest(
      ReadPool readers, ExchangeRequest.FindOrder query) {
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

  public Answer<OrderWithTrades> page(
      Connection connection, ExchangeRequest.FindOrder query, long after, int limit)
      throws SQLException {
    return find(
        connection,
        query,
        order -> TradePage.first(orders.tradesOf(connection, order, after, limit + 1), limit));
  }

  private Answer<OrderWithTrades> find(
      Connection connection, ExchangeRequest.FindOrder query, Trades trades) throws SQLException {
    try {
      return CashAccountStore.inSnapshot(
          connection,
          () -> {
            Optional<CashAccount> account = CashAccountStore.find(connection, query.account());
            if (account.isEmpty()) {
              return new Refusal<>(ErrorReason.ACCOUNT_NOT_FOUND, "account not found");
            }
            Optional<LimitOrder> order =
                orders
                    .find(connection, query.order())
                    .filter(it -> it.account() == account.get().number());
            if (order.isEmpty()) {
              return new Refusal<>(ErrorReason.ORDER_NOT_FOUND, "order not found");
            }
            return new Done<>(new OrderWithTrades(order.get(), trades.of(order.get())));
          });
    } catch (CorruptDataException e) {
      log.error("{}", e.getMessage());
      return new Answer.NotDecided<>(Answer.Cause.DAMAGED);
    }
  }

  /// As it was opened, with the first trades that it made at once: those with earlier orders.
  public OrderWithTrades atFirst(Connection connection, long number) throws SQLException {
    return CashAccountStore.inSnapshot(connection, () -> readOpened(connection, number));
  }

  private OrderWithTrades readOpened(Connection connection, long number) throws SQLException {
    LimitOrder now =
        orders
            .find(connection, number)
            .orElseThrow(() ->
                new CorruptDataException(format("damaged table: order %d is missing", number)));
    var atOnce =
        orders.tradesOf(connection, now, 0, Limits.DEFAULT_PAGE + 1).stream()
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
    return new OrderWithTrades(order, TradePage.first(atOnce, Limits.DEFAULT_PAGE));
  }
}
