package toystore.exchange;

import static toystore.common.RootLocale.format;

import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.FixedPoint;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.AddSharesRequest;
import toystore.exchange.v1.AddSharesResponse;
import toystore.exchange.v1.CancelOrderRequest;
import toystore.exchange.v1.CreateAccountRequest;
import toystore.exchange.v1.CreateAccountResponse;
import toystore.exchange.v1.Depth;
import toystore.exchange.v1.ExchangeServiceGrpc.ExchangeServiceBlockingStub;
import toystore.exchange.v1.GetAccountRequest;
import toystore.exchange.v1.GetDepthRequest;
import toystore.exchange.v1.GetOrderRequest;
import toystore.exchange.v1.Level;
import toystore.exchange.v1.ListAccountsRequest;
import toystore.exchange.v1.ListOrdersRequest;
import toystore.exchange.v1.ListSymbolsRequest;
import toystore.exchange.v1.ListTradesRequest;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.exchange.v1.PlaceOrderResponse;
import toystore.exchange.v1.Side;
import toystore.exchange.v1.WatchRequest;
import toystore.exchange.v1.WatchResponse;

/// The calls of one user. Amounts and answers are texts, such as `buy 300@125`.
///
/// @param keys makes a key for each command
record ExchangeTestClient(ExchangeServiceBlockingStub stub, Supplier<String> keys) {
  /// @return its id
  long account(String balance) {
    return create(keys.get(), balance).getAccount().getAccountId();
  }

  CreateAccountResponse create(String key, String balance) {
    return stub.createAccount(
        CreateAccountRequest.newBuilder()
            .setKey(ExchangeFixture.key(key))
            .setBalanceE8(amount(balance, FixedPoint.CASH))
            .build());
  }

  String add(long account, String symbol, String shares) {
    return text(addWithKey(keys.get(), account, symbol, shares).getPosition());
  }

  AddSharesResponse addWithKey(String key, long account, String symbol, String shares) {
    return stub.addShares(
        AddSharesRequest.newBuilder()
            .setKey(ExchangeFixture.key(key))
            .setAccountId(account)
            .setSymbol(symbol)
            .setSharesE4(amount(shares, FixedPoint.SHARES))
            .build());
  }

  Order buy(long account, String symbol, String shares, String limit) {
    return place(keys.get(), account, symbol, Side.SIDE_BUY, shares, limit).getOrder();
  }

  Order sell(long account, String symbol, String shares, String limit) {
    return place(keys.get(), account, symbol, Side.SIDE_SELL, shares, limit).getOrder();
  }

  PlaceOrderResponse place(
      String key, long account, String symbol, Side side, String shares, String limit) {
    return stub.placeOrder(order(key, account, symbol, side, shares, limit).build());
  }

  static PlaceOrderRequest.Builder order(
      String key, long account, String symbol, Side side, String shares, String limit) {
    return PlaceOrderRequest.newBuilder()
        .setKey(ExchangeFixture.key(key))
        .setAccountId(account)
        .setSymbol(symbol)
        .setSide(side)
        .setSharesE4(amount(shares, FixedPoint.SHARES))
        .setLimitE4(amount(limit, FixedPoint.PRICE));
  }

  Order order(long account, long order) {
    return stub.getOrder(
            GetOrderRequest.newBuilder().setAccountId(account).setOrderId(order).build())
        .getOrder();
  }

  /// Of an order's executions, after a trade.
  Order order(long account, long order, long after, int limit) {
    return stub.getOrder(
            GetOrderRequest.newBuilder()
                .setAccountId(account)
                .setOrderId(order)
                .setAfterTradeId(after)
                .setLimit(limit)
                .build())
        .getOrder();
  }

  /// Of an account's positions, after a symbol.
  Account find(long account, String after, int limit) {
    return stub.getAccount(
            GetAccountRequest.newBuilder()
                .setAccountId(account)
                .setAfterSymbol(after)
                .setLimit(limit)
                .build())
        .getAccount();
  }

  Order cancel(long account, long order) {
    return stub.cancelOrder(
            CancelOrderRequest.newBuilder().setAccountId(account).setOrderId(order).build())
        .getOrder();
  }

  String cash(long account) {
    Account found = find(account);
    return format(
        "%s, %s reserved",
        FixedPoint.format(found.getCashE8(), FixedPoint.CASH),
        FixedPoint.format(found.getReservedCashE8(), FixedPoint.CASH));
  }

  List<String> positions(long account) {
    return find(account).getPositionsList().stream().map(ExchangeTestClient::text).toList();
  }

  Account find(long account) {
    return stub.getAccount(GetAccountRequest.newBuilder().setAccountId(account).build())
        .getAccount();
  }

  List<Long> accounts(long after, int limit) {
    return stub
        .listAccounts(
            ListAccountsRequest.newBuilder().setAfterAccountId(after).setLimit(limit).build())
        .getAccountsList()
        .stream()
        .map(Account::getAccountId)
        .toList();
  }

  List<Long> orders(long account, long before, int limit) {
    return stub
        .listOrders(
            ListOrdersRequest.newBuilder()
                .setAccountId(account)
                .setBeforeOrderId(before)
                .setLimit(limit)
                .build())
        .getOrdersList()
        .stream()
        .map(Order::getOrderId)
        .toList();
  }

  List<String> symbols(String after, int limit) {
    return stub.listSymbols(
            ListSymbolsRequest.newBuilder().setAfterSymbol(after).setLimit(limit).build())
        .getSymbolsList();
  }

  List<String> trades(String symbol, long before, int limit) {
    return stub
        .listTrades(
            ListTradesRequest.newBuilder()
                .setSymbol(symbol)
                .setBeforeTradeId(before)
                .setLimit(limit)
                .build())
        .getTradesList()
        .stream()
        .map(it -> shares(it.getSharesE4()) + "@" + shares(it.getPriceE4()))
        .toList();
  }

  String depth(String symbol) {
    return text(stub.getDepth(GetDepthRequest.newBuilder().setSymbol(symbol).build()).getDepth());
  }

  /// Watches until the iterator is no longer read.
  Iterator<WatchResponse> watch(String symbol, @Nullable Long afterTrade) {
    var request = WatchRequest.newBuilder().setSymbol(symbol);
    if (afterTrade != null) {
      request.setAfterTradeId(afterTrade);
    }
    return stub.watch(request.build());
  }

  static String text(WatchResponse response) {
    return switch (response.getEventCase()) {
      case TRADE ->
          format(
              "trade %d: %s@%s",
              response.getTrade().getTradeId(),
              shares(response.getTrade().getSharesE4()),
              shares(response.getTrade().getPriceE4()));
      case DEPTH -> text(response.getDepth());
      case REPLAY_END -> "after " + response.getReplayEnd().getLastTradeId();
      case EVENT_NOT_SET -> "nothing";
    };
  }

  /// Such as `bids 300@125(1) asks 100@130(1)`, with the number of orders.
  static String text(Depth depth) {
    return format("bids%s asks%s", text(depth.getBidsList()), text(depth.getAsksList()));
  }

  private static String text(List<Level> levels) {
    return String.join(
        "",
        levels.stream()
            .map(it ->
                format(
                    " %s@%s(%d)",
                    shares(it.getSharesE4()), shares(it.getPriceE4()), it.getOrders()))
            .toList());
  }

  /// Such as `buy 300@125: 100 open, 200@125`, with the executions.
  static String text(Order order) {
    Stream<String> state =
        Stream.of(
            shares(order.getOpenSharesE4()) + " open",
            shares(order.getCanceledSharesE4()) + " canceled");
    Stream<String> executions =
        order.getExecutionsList().stream()
            .map(it -> shares(it.getSharesE4()) + "@" + shares(it.getPriceE4()));
    return format(
        "%s %s@%s: %s",
        order.getSide() == Side.SIDE_BUY ? "buy" : "sell",
        shares(order.getSharesE4()),
        shares(order.getLimitE4()),
        String.join(
            ", ", Stream.concat(state.filter(it -> !it.startsWith("0 ")), executions).toList()));
  }

  static String text(toystore.exchange.v1.Position position) {
    return format(
        "%s %s, %s reserved",
        position.getSymbol(),
        shares(position.getSharesE4()),
        shares(position.getReservedSharesE4()));
  }

  private static String shares(long amountE4) {
    return FixedPoint.format(amountE4, FixedPoint.SHARES);
  }

  private static long amount(String text, int decimals) {
    return FixedPoint.parse(text, decimals).orElseThrow();
  }
}
