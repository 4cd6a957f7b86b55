package toystore.frontend.exchange;

import static toystore.common.RootLocale.format;

import com.google.protobuf.util.Timestamps;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.AddSharesRequest;
import toystore.exchange.v1.CancelOrderRequest;
import toystore.exchange.v1.CreateAccountRequest;
import toystore.exchange.v1.Depth;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.ExchangeServiceGrpc.ExchangeServiceBlockingStub;
import toystore.exchange.v1.Execution;
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
import toystore.exchange.v1.Position;
import toystore.exchange.v1.Side;
import toystore.exchange.v1.Trade;
import toystore.frontend.exchange.ExchangeInput.NewLimitOrder;
import toystore.frontend.exchange.ExchangeInput.NewShares;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.http.paging.PathId;
import toystore.frontend.security.BearerToken;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CommonMessages;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;
import toystore.platform.text.PlainDecimal;

/// gRPC client of the exchange. It passes the bearer's token on: the exchange decides who reaches
/// which account. Any thread.
@Component
public final class ExchangeClient {
  public static final int CASH_DECIMALS = 8;

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String ACCOUNTS = "/api/exchange/accounts";

  private final ExchangeServiceBlockingStub exchange;
  private final ExchangeServiceBlockingStub administrator;
  private final PeerCalls calls;

  ExchangeClient(PeerChannel exchangeChannel, AdministratorToken token) {
    this.exchange = ExchangeServiceGrpc.newBlockingStub(exchangeChannel.channel());
    this.administrator = exchange.withInterceptors(token.clientInterceptor());
    this.calls = new PeerCalls(exchangeChannel);
  }

  /// A symbol's open shares by price: the best 100 prices of each side, the best first.
  public record DepthView(String symbol, List<LevelView> bids, List<LevelView> asks) {
    /// @param shares open shares of all orders with this price
    /// @param orders number of these orders
    public record LevelView(String price, String shares, int orders) {}
  }

  public record TradeView(
      long tradeId, String symbol, String shares, String price, String executedAt) {}

  public ExchangeAccountView createAccount(
      BearerToken bearer, IdempotencyKey key, BigDecimal balance) {
    RequestKey scoped = key.in(ACCOUNTS);
    var request =
        CreateAccountRequest.newBuilder()
            .setKey(CommonMessages.toProto(scoped))
            .setBalanceE8(DecimalAmounts.toLong(balance, CASH_DECIMALS))
            .setDecideBy(CommonMessages.toProto(calls.decideBy()))
            .build();
    var created = calls.write(scoped, () -> as(bearer).createAccount(request));
    PeerCalls.markReplayed(created.getReplayed());
    return view(created.getAccount());
  }

  public PagedResponse<ExchangeAccountView> accounts(BearerToken bearer, long after, int limit) {
    return page(
        after,
        limit,
        (from, size) ->
            as(bearer)
                .listAccounts(
                    ListAccountsRequest.newBuilder().setAfterAccountId(from).setLimit(size).build())
                .getAccountsList(),
        Account::getAccountId,
        ExchangeClient::view);
  }

  /// Returns an account with a page of its positions.
  ///
  /// @param account number in a path; an unknown one is answered with 404
  /// @param after the positions after this symbol's; empty: from the first
  public ExchangeAccountView account(BearerToken bearer, String account, String after, int limit) {
    var request =
        GetAccountRequest.newBuilder()
            .setAccountId(accountId(account))
            .setAfterSymbol(after.isEmpty() ? after : checkedSymbol(after))
            .setLimit(limit)
            .build();
    return view(calls.read(() -> as(bearer).getAccount(request)).getAccount());
  }

  public ExchangeAccountView.PositionView addShares(
      BearerToken bearer, IdempotencyKey key, String account, NewShares added) {
    long accountId = accountId(account);
    RequestKey scoped = key.in(ACCOUNTS + "/" + accountId + "/shares");
    var request =
        AddSharesRequest.newBuilder()
            .setKey(CommonMessages.toProto(scoped))
            .setAccountId(accountId)
            .setSymbol(added.symbol())
            .setSharesE4(DecimalAmounts.toLong(added.shares(), ExchangeInput.DECIMALS))
            .setDecideBy(CommonMessages.toProto(calls.decideBy()))
            .build();
    var answer = calls.write(scoped, () -> as(bearer).addShares(request));
    PeerCalls.markReplayed(answer.getReplayed());
    return view(answer.getPosition());
  }

  public ExchangeOrderView placeOrder(
      BearerToken bearer, IdempotencyKey key, String account, NewLimitOrder order) {
    long accountId = accountId(account);
    RequestKey scoped = key.in(ACCOUNTS + "/" + accountId + "/orders");
    var request =
        PlaceOrderRequest.newBuilder()
            .setKey(CommonMessages.toProto(scoped))
            .setAccountId(accountId)
            .setSymbol(order.symbol())
            .setSide(order.side() == ExchangeInput.Direction.BUY ? Side.SIDE_BUY : Side.SIDE_SELL)
            .setSharesE4(DecimalAmounts.toLong(order.shares(), ExchangeInput.DECIMALS))
            .setLimitE4(DecimalAmounts.toLong(order.limit(), ExchangeInput.DECIMALS))
            .setDecideBy(CommonMessages.toProto(calls.decideBy()))
            .build();
    var placed = calls.write(scoped, () -> as(bearer).placeOrder(request));
    PeerCalls.markReplayed(placed.getReplayed());
    return view(placed.getOrder(), true);
  }

  /// Returns an order with a page of its executions.
  ///
  /// @param after the executions after this trade; 0: from the first
  public ExchangeOrderView order(
      BearerToken bearer, String account, String order, long after, int limit) {
    var request =
        GetOrderRequest.newBuilder()
            .setAccountId(accountId(account))
            .setOrderId(orderId(order))
            .setAfterTradeId(after)
            .setLimit(limit)
            .build();
    return view(calls.read(() -> as(bearer).getOrder(request)).getOrder(), true);
  }

  public ExchangeOrderView cancelOrder(BearerToken bearer, String account, String order) {
    var request =
        CancelOrderRequest.newBuilder()
            .setAccountId(accountId(account))
            .setOrderId(orderId(order))
            .setDecideBy(CommonMessages.toProto(calls.decideBy()))
            .build();
    return view(calls.write(() -> as(bearer).cancelOrder(request)).getOrder(), true);
  }

  /// Returns an account's orders, the latest first.
  ///
  /// @param after the orders before this one; 0: from the latest
  public PagedResponse<ExchangeOrderView> orders(
      BearerToken bearer, String account, long after, int limit) {
    long accountId = accountId(account);
    return page(
        after,
        limit,
        (from, size) ->
            as(bearer)
                .listOrders(
                    ListOrdersRequest.newBuilder()
                        .setAccountId(accountId)
                        .setBeforeOrderId(from)
                        .setLimit(size)
                        .build())
                .getOrdersList(),
        Order::getOrderId,
        it -> view(it, false));
  }

  public PagedResponse<String> symbols(@Nullable BearerToken bearer, String after, int limit) {
    return page(
        after,
        limit,
        (from, size) ->
            as(bearer)
                .listSymbols(
                    ListSymbolsRequest.newBuilder().setAfterSymbol(from).setLimit(size).build())
                .getSymbolsList(),
        Function.identity(),
        Function.identity());
  }

  public DepthView depth(@Nullable BearerToken bearer, String symbol) {
    var request = GetDepthRequest.newBuilder().setSymbol(checkedSymbol(symbol)).build();
    return view(calls.read(() -> as(bearer).getDepth(request)).getDepth());
  }

  /// Returns a symbol's trades, the latest first.
  ///
  /// @param after the trades before this one; 0: from the latest
  public PagedResponse<TradeView> trades(
      @Nullable BearerToken bearer, String symbol, long after, int limit) {
    String name = checkedSymbol(symbol);
    return page(
        after,
        limit,
        (from, size) ->
            as(bearer)
                .listTrades(
                    ListTradesRequest.newBuilder()
                        .setSymbol(name)
                        .setBeforeTradeId(from)
                        .setLimit(size)
                        .build())
                .getTradesList(),
        Trade::getTradeId,
        ExchangeClient::view);
  }

  /// The stub with the bearer's token; null: with the administrator's.
  private ExchangeServiceBlockingStub as(@Nullable BearerToken bearer) {
    if (bearer == null) {
      return administrator;
    }
    var headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + bearer.inMetadata());
    return exchange.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /// Returns a symbol of a path or a query; an impossible one is answered with 404.
  static String checkedSymbol(String symbol) {
    if (!symbol.matches(ExchangeInput.SYMBOL)) {
      throw ApiException.of(ErrorReason.SYMBOL_NOT_FOUND, "symbol not found");
    }
    return symbol;
  }

  static DepthView view(Depth depth) {
    return new DepthView(
        depth.getSymbol(),
        depth.getBidsList().stream().map(ExchangeClient::view).toList(),
        depth.getAsksList().stream().map(ExchangeClient::view).toList());
  }

  static TradeView view(Trade trade) {
    return new TradeView(
        trade.getTradeId(),
        trade.getSymbol(),
        e4(trade.getSharesE4()),
        e4(trade.getPriceE4()),
        Timestamps.toString(trade.getExecutedAt()));
  }

  private interface PageCall<K, M> {
    List<M> list(K after, int limit);
  }

  /// Lists one page. If it is full, a second call finds out whether there is more.
  private <K, M, V> PagedResponse<V> page(
      K after, int limit, PageCall<K, M> call, Function<M, K> key, Function<M, V> view) {
    List<M> page = calls.read(() -> call.list(after, limit));
    K next = page.size() < limit ? null : key.apply(page.getLast());
    Supplier<Boolean> isLast = () -> next == null || call.list(next, 1).isEmpty();
    return new PagedResponse<>(page.stream().map(view).toList(), calls.read(isLast) ? null : next);
  }

  private static long accountId(String text) {
    return PathId.parse(text, ApiException.of(ErrorReason.ACCOUNT_NOT_FOUND, "account not found"));
  }

  private static long orderId(String text) {
    return PathId.parse(text, ApiException.of(ErrorReason.ORDER_NOT_FOUND, "order not found"));
  }

  private static ExchangeAccountView view(Account account) {
    return new ExchangeAccountView(
        account.getAccountId(),
        PlainDecimal.format(account.getCashE8(), CASH_DECIMALS),
        PlainDecimal.format(account.getReservedCashE8(), CASH_DECIMALS),
        account.getPositionsList().stream().map(ExchangeClient::view).toList(),
        account.getNextSymbol().isEmpty() ? null : account.getNextSymbol());
  }

  private static ExchangeAccountView.PositionView view(Position position) {
    return new ExchangeAccountView.PositionView(
        position.getSymbol(), e4(position.getSharesE4()), e4(position.getReservedSharesE4()));
  }

  private static ExchangeOrderView view(Order order, boolean withExecutions) {
    long executed = order.getSharesE4() - order.getOpenSharesE4() - order.getCanceledSharesE4();
    return new ExchangeOrderView(
        order.getOrderId(),
        order.getAccountId(),
        order.getSymbol(),
        switch (order.getSide()) {
          case SIDE_BUY -> "buy";
          case SIDE_SELL -> "sell";
          case SIDE_UNSPECIFIED, UNRECOGNIZED ->
              throw new IllegalStateException(
                  format("order %d has the unknown side %s", order.getOrderId(), order.getSide()));
        },
        e4(order.getSharesE4()),
        e4(order.getLimitE4()),
        e4(order.getOpenSharesE4()),
        e4(executed),
        e4(order.getCanceledSharesE4()),
        Timestamps.toString(order.getOpenedAt()),
        order.hasCanceledAt() ? Timestamps.toString(order.getCanceledAt()) : null,
        withExecutions
            ? order.getExecutionsList().stream().map(ExchangeClient::view).toList()
            : null,
        order.getNextTradeId() == 0 ? null : order.getNextTradeId());
  }

  private static ExchangeOrderView.ExecutionView view(Execution execution) {
    return new ExchangeOrderView.ExecutionView(
        execution.getTradeId(),
        e4(execution.getSharesE4()),
        e4(execution.getPriceE4()),
        Timestamps.toString(execution.getExecutedAt()));
  }

  private static DepthView.LevelView view(Level level) {
    return new DepthView.LevelView(
        e4(level.getPriceE4()), e4(level.getSharesE4()), level.getOrders());
  }

  private static String e4(long tenThousandths) {
    return PlainDecimal.format(tenThousandths, ExchangeInput.DECIMALS);
  }
}
