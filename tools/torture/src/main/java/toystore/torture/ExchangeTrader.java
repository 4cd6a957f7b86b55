package toystore.torture;

import java.util.List;
import toystore.exchange.v1.Order;

/// A way to the exchange. What the exchange answers is noted in the account. One thread.
interface ExchangeTrader extends AutoCloseable {
  /// Creates an account with [TradedAccount#CASH_E8] and shares of all [TradedAccount#SYMBOLS].
  TradedAccount open() throws Exception;

  /// Places, queries and cancels orders, in this order. Over XML they are one request.
  ///
  /// @param placed side, symbol, shares and limit
  /// @param queried numbers of orders of the account
  void trade(TradedAccount account, List<Order> placed, List<Long> queried, List<Long> canceled)
      throws Exception;

  @Override
  void close();
}
