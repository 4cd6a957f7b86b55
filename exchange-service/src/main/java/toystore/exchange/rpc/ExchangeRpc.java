package toystore.exchange.rpc;

import static toystore.common.RootLocale.format;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.grpc.server.service.GrpcService;
import toystore.common.v1.IdempotencyKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeRequest;
import toystore.exchange.domain.ExchangeUnitOfWork;
import toystore.exchange.domain.FeedSubscription;
import toystore.exchange.domain.MarketEvent;
import toystore.exchange.domain.MarketFeed;
import toystore.exchange.domain.OpenedOrder;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.domain.TradePage;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MarketDepth;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Side;
import toystore.exchange.engine.Symbol;
import toystore.exchange.storage.CashAccountStore;
import toystore.exchange.storage.LimitOrderStore;
import toystore.exchange.storage.OrderAnswerStore;
import toystore.exchange.storage.SymbolStore;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.AddSharesRequest;
import toystore.exchange.v1.AddSharesResponse;
import toystore.exchange.v1.CancelOrderRequest;
import toystore.exchange.v1.CancelOrderResponse;
import toystore.exchange.v1.CreateAccountRequest;
import toystore.exchange.v1.CreateAccountResponse;
import toystore.exchange.v1.Depth;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.Execution;
import toystore.exchange.v1.GetAccountRequest;
import toystore.exchange.v1.GetAccountResponse;
import toystore.exchange.v1.GetDepthRequest;
import toystore.exchange.v1.GetDepthResponse;
import toystore.exchange.v1.GetOrderRequest;
import toystore.exchange.v1.GetOrderResponse;
import toystore.exchange.v1.Level;
import toystore.exchange.v1.ListAccountsRequest;
import toystore.exchange.v1.ListAccountsResponse;
import toystore.exchange.v1.ListOrdersRequest;
import toystore.exchange.v1.ListOrdersResponse;
import toystore.exchange.v1.ListSymbolsRequest;
import toystore.exchange.v1.ListSymbolsResponse;
import toystore.exchange.v1.ListTradesRequest;
import toystore.exchange.v1.ListTradesResponse;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.exchange.v1.PlaceOrderResponse;
import toystore.exchange.v1.Position;
import toystore.exchange.v1.ReplayEnd;
import toystore.exchange.v1.Trade;
import toystore.exchange.v1.WatchRequest;
import toystore.exchange.v1.WatchResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.CommonMessages;
import toystore.platform.rpc.NotServingEvent;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryResponses;
import toystore.platform.service.SessionWatch;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.text.Limits;

/// `toystore.exchange.v1.ExchangeService`. Runs on gRPC's I/O threads and never blocks. The account
/// service says who calls; the writer decides commands, readers read accounts, orders and lists,
/// the feed has the depth.
@GrpcService(interceptors = CallerClient.TokenInterceptor.class)
final class ExchangeRpc extends ExchangeServiceGrpc.ExchangeServiceImplBase
    implements AutoCloseable {
  private static final int POSITIONS_IN_LIST = 10; // of each account
  private static final int MAX_REPLAY = 2_000;

  private final CallerClient callers;
  private final SingleWriter<ExchangeUnitOfWork> writer;
  private final ReadPool readers;
  private final CashAccountStore accounts;
  private final LimitOrderStore orders;
  private final OrderAnswerStore orderAnswers;
  private final MarketFeed feed;
  private final SessionWatch sessions;
  private final Set<WatchRpc> watches = ConcurrentHashMap.newKeySet();
  private final ExecutorService watchExecutor =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(), // at most one task of each watch
          Thread.ofPlatform().daemon().name("exchange-feed").factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // the writer ends later and must not fail

  ExchangeRpc(
      CallerClient callers,
      SingleWriter<ExchangeUnitOfWork> writer,
      ReadPool readers,
      CashAccountStore accounts,
      LimitOrderStore orders,
      OrderAnswerStore orderAnswers,
      MarketFeed feed,
      SessionWatch sessions) {
    this.callers = callers;
    this.writer = writer;
    this.readers = readers;
    this.accounts = accounts;
    this.orders = orders;
    this.orderAnswers = orderAnswers;
    this.feed = feed;
    this.sessions = sessions;
  }

  @Override
  public void createAccount(
      CreateAccountRequest request, StreamObserver<CreateAccountResponse> answer) {
    forUser(
        answer,
        (_, user) -> {
          Limits.checkAtLeast("balance_e8", request.getBalanceE8(), 0);
          return submit(
                  new ExchangeCommand.CreateAccount(null, user.name(), request.getBalanceE8()),
                  key(user, request.getKey()),
                  request.hasDecideBy() ? request.getDecideBy() : null)
              .thenApply(it ->
                  CreateAccountResponse.newBuilder()
                      .setAccount(account(it.value()))
                      .setReplayed(it.replayed())
                      .build());
        });
  }

  @Override
  public void addShares(AddSharesRequest request, StreamObserver<AddSharesResponse> answer) {
    forUser(
        answer,
        (_, user) -> {
          Limits.checkAtLeast("shares_e4", request.getSharesE4(), 0);
          return submit(
                  new ExchangeCommand.AddShares(
                      user.account(request.getAccountId()),
                      request.getSymbol(),
                      request.getSharesE4()),
                  key(user, request.getKey()),
                  request.hasDecideBy() ? request.getDecideBy() : null)
              .thenApply(it ->
                  AddSharesResponse.newBuilder()
                      .setPosition(position(it.value()))
                      .setReplayed(it.replayed())
                      .build());
        });
  }

  @Override
  public void placeOrder(PlaceOrderRequest request, StreamObserver<PlaceOrderResponse> answer) {
    forUser(
        answer,
        (call, user) -> {
          Limits.checkAtLeast("shares_e4", request.getSharesE4(), 1);
          Limits.checkAtLeast("limit_e4", request.getLimitE4(), 1);
          return submit(
                  new ExchangeCommand.PlaceOrder(
                      user.account(request.getAccountId()),
                      request.getSymbol(),
                      side(request.getSide()),
                      request.getSharesE4(),
                      request.getLimitE4()),
                  key(user, request.getKey()),
                  request.hasDecideBy() ? request.getDecideBy() : null)
              .thenCompose(it ->
                  readOpened(call, it.value())
                      .thenApply(order ->
                          PlaceOrderResponse.newBuilder()
                              .setOrder(order(order))
                              .setReplayed(it.replayed())
                              .build()));
        });
  }

  private CompletionStage<OrderWithTrades> readOpened(Context call, OpenedOrder opened) {
    return switch (opened) {
      case OrderWithTrades order -> CompletableFuture.completedFuture(order);
      case OpenedOrder.EarlierOrder(long number) ->
          readDone(call, connection -> orderAnswers.atFirst(connection, number));
    };
  }

  /// Keys of two users are different.
  private static RequestKey key(ExchangeUser user, IdempotencyKey key) {
    return new RequestKey(user.name() + " " + key.getScope(), key.getValue(), key.getClientMade());
  }

  @Override
  public void getOrder(GetOrderRequest request, StreamObserver<GetOrderResponse> answer) {
    forUser(
        answer,
        (_, user) -> {
          Limits.checkAtLeast("after_trade_id", request.getAfterTradeId(), 0);
          int limit = limitOrDefault(request.getLimit());
          var query =
              new ExchangeRequest.FindOrder(
                  user.account(request.getAccountId()), request.getOrderId());
          return readers
              .read(connection ->
                  orderAnswers.page(connection, query, request.getAfterTradeId(), limit))
              .thenApply(it ->
                  GetOrderResponse.newBuilder()
                      .setOrder(order(CommonMessages.done(it).value()))
                      .build());
        });
  }

  @Override
  public void cancelOrder(CancelOrderRequest request, StreamObserver<CancelOrderResponse> answer) {
    forUser(
        answer,
        (call, user) ->
            submit(
                    new ExchangeCommand.CancelOrder(
                        user.account(request.getAccountId()), request.getOrderId()),
                    null,
                    request.hasDecideBy() ? request.getDecideBy() : null)
                .thenCompose(it ->
                    readDone(
                        call,
                        connection ->
                            orderAnswers.page(connection, it.value(), 0, Limits.DEFAULT_PAGE)))
                .thenApply(it ->
                    CancelOrderResponse.newBuilder()
                        .setOrder(order(CommonMessages.done(it).value()))
                        .build()));
  }

  @Override
  public void listAccounts(
      ListAccountsRequest request, StreamObserver<ListAccountsResponse> answer) {
    forUser(
        answer,
        (_, user) -> {
          int limit = Limits.page(request.getLimit());
          long after = request.getAfterAccountId();
          return readers.read(connection ->
              CashAccountStore.inSnapshot(
                  connection,
                  () -> {
                    var response = ListAccountsResponse.newBuilder();
                    for (CashAccount account :
                        CashAccountStore.page(connection, user.owner(), after, limit)) {
                      response.addAccounts(
                          withPositions(connection, account, 0, POSITIONS_IN_LIST));
                    }
                    return response.build();
                  }));
        });
  }

  @Override
  public void getAccount(GetAccountRequest request, StreamObserver<GetAccountResponse> answer) {
    forUser(
        answer,
        (_, user) -> {
          int limit = limitOrDefault(request.getLimit());
          return readers.read(connection ->
              CashAccountStore.inSnapshot(
                  connection,
                  () -> {
                    CashAccount account = reachable(connection, user, request.getAccountId());
                    long after = symbolNumber(connection, request.getAfterSymbol());
                    return GetAccountResponse.newBuilder()
                        .setAccount(withPositions(connection, account, after, limit))
                        .build();
                  }));
        });
  }

  /// @param after number of the symbol before the first position
  private Account withPositions(Connection connection, CashAccount account, long after, int limit)
      throws SQLException {
    var positions = accounts.positionsOf(connection, account.number(), after, limit + 1);
    Account.Builder message = account(account).toBuilder();
    positions.stream().limit(limit).forEach(it -> message.addPositions(position(it)));
    if (positions.size() > limit) {
      message.setNextSymbol(positions.get(limit - 1).symbol().name());
    }
    return message.build();
  }

  /// @param name empty: 0
  private static long symbolNumber(Connection connection, String name) throws SQLException {
    return name.isEmpty()
        ? 0
        : SymbolStore.find(connection, name)
            .map(Symbol::number)
            .orElseThrow(ExchangeRpc::unknownSymbol);
  }

  private static CashAccount reachable(Connection connection, ExchangeUser user, long number)
      throws SQLException {
    return CashAccountStore.find(connection, number)
        .filter(it -> user.owner() == null || user.owner().equals(it.owner()))
        .orElseThrow(
            () -> new RpcError(ErrorReason.ACCOUNT_NOT_FOUND, "account not found").toException());
  }

  @Override
  public void listOrders(ListOrdersRequest request, StreamObserver<ListOrdersResponse> answer) {
    forUser(
        answer,
        (_, user) -> {
          int limit = Limits.page(request.getLimit());
          long before = before("before_order_id", request.getBeforeOrderId());
          return readers.read(connection -> {
            CashAccount account = reachable(connection, user, request.getAccountId());
            var response = ListOrdersResponse.newBuilder();
            orders
                .ofAccount(connection, account.number(), before, limit)
                .forEach(it -> response.addOrders(order(new OrderWithTrades(it, TradePage.NONE))));
            return response.build();
          });
        });
  }

  @Override
  public void listSymbols(ListSymbolsRequest request, StreamObserver<ListSymbolsResponse> answer) {
    forUser(
        answer,
        (_, _) -> {
          int limit = Limits.page(request.getLimit());
          return readers.read(connection -> {
            var response = ListSymbolsResponse.newBuilder();
            SymbolStore.page(connection, request.getAfterSymbol(), limit)
                .forEach(it -> response.addSymbols(it.name()));
            return response.build();
          });
        });
  }

  @Override
  public void getDepth(GetDepthRequest request, StreamObserver<GetDepthResponse> answer) {
    forUser(
        answer,
        (_, _) ->
            CompletableFuture.completedFuture(
                GetDepthResponse.newBuilder()
                    .setDepth(depth(knownDepth(request.getSymbol())))
                    .build()));
  }

  @Override
  public void listTrades(ListTradesRequest request, StreamObserver<ListTradesResponse> answer) {
    forUser(
        answer,
        (_, _) -> {
          int limit = Limits.page(request.getLimit());
          long before = before("before_trade_id", request.getBeforeTradeId());
          Symbol symbol = knownDepth(request.getSymbol()).symbol();
          return readers.read(connection -> {
            var response = ListTradesResponse.newBuilder();
            orders
                .tradesBefore(connection, symbol.number(), before, limit)
                .forEach(it -> response.addTrades(trade(it)));
            return response.build();
          });
        });
  }

  @Override
  public void watch(WatchRequest request, StreamObserver<WatchResponse> answer) {
    var call = (ServerCallStreamObserver<WatchResponse>) answer;
    var watch = new WatchRpc(call, watchExecutor, watches::remove);
    watches.add(watch);
    forUser(watch, (_, user) -> beginning(request, user, watch));
  }

  private CompletionStage<WatchRpc.Beginning> beginning(
      WatchRequest request, ExchangeUser user, WatchRpc watch) {
    String name = request.getSymbol().isEmpty() ? null : request.getSymbol();
    long symbol = name == null ? 0 : knownDepth(name).symbol().number();
    Limits.checkAtLeast("after_trade_id", request.getAfterTradeId(), 0);
    FeedSubscription subscription = subscribe(user, name, watch);
    Runnable unwatch =
        user.sessionId() == 0
            ? () -> {}
            : sessions.watch(user.sessionId(), () -> watch.onError(sessionEnded()));
    watch.atEnd(() -> {
      feed.unsubscribe(subscription);
      unwatch.run();
    });
    if (!request.hasAfterTradeId()) {
      return CompletableFuture.completedFuture(beginning(List.of(), subscription));
    }
    return readers
        .read(connection ->
            orders.tradesAfter(
                connection,
                symbol,
                request.getAfterTradeId(),
                subscription.lastTrade(),
                MAX_REPLAY + 1))
        .thenApply(missed -> beginning(missed, subscription));
  }

  private FeedSubscription subscribe(ExchangeUser user, @Nullable String symbol, WatchRpc watch) {
    return switch (feed.subscribe(user.owner(), symbol, watch::wake)) {
      case MarketFeed.Admission.Subscribed(var subscription) -> subscription;
      case MarketFeed.Admission.UserHasTooMany() ->
          throw new RpcError(
                  ErrorReason.TOO_MANY_FEEDS,
                  format(
                      "the user has %d feeds, which is the maximum; end one first",
                      MarketFeed.OF_USER))
              .toException();
      case MarketFeed.Admission.Full(int places) ->
          throw new RpcError(
                  ErrorReason.OVERLOADED,
                  format("the feed has %d readers, which is the maximum; retry later", places))
              .toException();
    };
  }

  private static StatusRuntimeException sessionEnded() {
    return new RpcError(ErrorReason.SESSION_ENDED, "the session has ended; log in again")
        .toException();
  }

  private static WatchRpc.Beginning beginning(
      List<MatchedTrade> missed, FeedSubscription subscription) {
    Stream<WatchResponse> trades =
        missed.stream().limit(MAX_REPLAY).map(it -> response(new MarketEvent.Traded(it)));
    if (missed.size() > MAX_REPLAY) {
      return new WatchRpc.Beginning(trades.iterator(), null);
    }
    Stream<WatchResponse> end =
        Stream.of(
            WatchResponse.newBuilder()
                .setReplayEnd(ReplayEnd.newBuilder().setLastTradeId(subscription.lastTrade()))
                .build());
    Stream<WatchResponse> depths =
        subscription.depths().stream().map(it -> response(new MarketEvent.DepthChanged(it)));
    return new WatchRpc.Beginning(
        Stream.concat(Stream.concat(trades, end), depths).iterator(), subscription);
  }

  static WatchResponse response(MarketEvent event) {
    return switch (event) {
      case MarketEvent.Traded(var trade) ->
          WatchResponse.newBuilder().setTrade(trade(trade)).build();
      case MarketEvent.DepthChanged(var depth) ->
          WatchResponse.newBuilder().setDepth(depth(depth)).build();
    };
  }

  /// They would delay the stop of the server.
  @EventListener(ContextClosedEvent.class)
  void endWatches() {
    endWatches("service is stopping; retry later");
  }

  @EventListener
  void endWatches(NotServingEvent event) {
    endWatches(event.reason());
  }

  private void endWatches(String reason) {
    StatusRuntimeException error = new RpcError(ErrorReason.NOT_DONE, reason).toException();
    watches.forEach(it -> it.onError(error));
  }

  @Override
  public void close() {
    watchExecutor.shutdownNow();
  }

  private <T> CompletionStage<Answer.Done<T>> submit(
      ExchangeCommand<T> command, @Nullable RequestKey key, @Nullable Timestamp decideBy) {
    return new CallEnvelope(key, decideBy == null ? null : CommonMessages.decideBy(decideBy))
        .decide(writer, command, key)
        .thenApply(CommonMessages::done);
  }

  /// The command was carried out: if the read fails, the caller must not hear that nothing was
  /// done.
  private <T> CompletionStage<T> readDone(Context call, ReadPool.Query<T> query) {
    Context before = call.attach();
    try {
      return readers
          .read(query)
          .handle((result, failure) -> {
            if (failure instanceof NotExecutedException) {
              throw new RpcError(
                      ErrorReason.OUTCOME_UNKNOWN,
                      "the request was processed, but its answer was not read: "
                          + failure.getMessage())
                  .toException();
            }
            if (failure != null) {
              throw new CompletionException(failure);
            }
            return result;
          });
    } finally {
      call.detach(before);
    }
  }

  private <A> void forUser(
      StreamObserver<A> answer, BiFunction<Context, ExchangeUser, CompletionStage<A>> action) {
    Context call = Context.current();
    UnaryResponses.send(
        answer,
        () ->
            callers
                .find(call)
                .thenCompose(user -> {
                  Context before = call.attach(); // lets a read end with the call
                  try {
                    return action.apply(call, user);
                  } finally {
                    call.detach(before);
                  }
                }));
  }

  private MarketDepth knownDepth(String symbol) {
    MarketDepth depth = feed.depth(symbol);
    if (depth == null) {
      throw unknownSymbol();
    }
    return depth;
  }

  private static StatusRuntimeException unknownSymbol() {
    return new RpcError(ErrorReason.SYMBOL_NOT_FOUND, "symbol not found").toException();
  }

  private static int limitOrDefault(int limit) {
    return limit == 0 ? Limits.DEFAULT_PAGE : Limits.page(limit);
  }

  private static long before(String field, long before) {
    Limits.checkAtLeast(field, before, 0);
    return before == 0 ? Long.MAX_VALUE : before;
  }

  private static Side side(toystore.exchange.v1.Side side) {
    return switch (side) {
      case SIDE_BUY -> Side.BUY;
      case SIDE_SELL -> Side.SELL;
      case SIDE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("side must be SIDE_BUY or SIDE_SELL, got " + side);
    };
  }

  private static Account account(CashAccount account) {
    return Account.newBuilder()
        .setAccountId(account.number())
        .setCashE8(account.cashE8())
        .setReservedCashE8(account.reservedE8())
        .build();
  }

  private static Position position(toystore.exchange.engine.Position position) {
    return Position.newBuilder()
        .setSymbol(position.symbol().name())
        .setSharesE4(position.sharesE4())
        .setReservedSharesE4(position.reservedE4())
        .build();
  }

  private static Order order(OrderWithTrades found) {
    LimitOrder order = found.order();
    TradePage trades = found.trades();
    var message =
        Order.newBuilder()
            .setOrderId(order.number())
            .setAccountId(order.account())
            .setSymbol(order.symbol().name())
            .setSide(
                switch (order.side()) {
                  case BUY -> toystore.exchange.v1.Side.SIDE_BUY;
                  case SELL -> toystore.exchange.v1.Side.SIDE_SELL;
                })
            .setSharesE4(order.sharesE4())
            .setLimitE4(order.limitE4())
            .setOpenSharesE4(order.openE4())
            .setCanceledSharesE4(order.canceledE4())
            .setOpenedAt(Timestamps.fromMillis(order.openedAt()));
    if (order.canceledAt() != 0) {
      message.setCanceledAt(Timestamps.fromMillis(order.canceledAt()));
    }
    if (trades.omitted() > 0) {
      message.setNextTradeId(trades.trades().getLast().number());
    }
    for (MatchedTrade trade : trades.trades()) {
      message.addExecutions(
          Execution.newBuilder()
              .setTradeId(trade.number())
              .setSharesE4(trade.sharesE4())
              .setPriceE4(trade.priceE4())
              .setExecutedAt(Timestamps.fromMillis(trade.executedAt())));
    }
    return message.build();
  }

  private static Trade trade(MatchedTrade trade) {
    return Trade.newBuilder()
        .setTradeId(trade.number())
        .setSymbol(trade.symbol().name())
        .setSharesE4(trade.sharesE4())
        .setPriceE4(trade.priceE4())
        .setExecutedAt(Timestamps.fromMillis(trade.executedAt()))
        .build();
  }

  private static Depth depth(MarketDepth depth) {
    var message = Depth.newBuilder().setSymbol(depth.symbol().name());
    depth.bids().forEach(it -> message.addBids(level(it)));
    depth.asks().forEach(it -> message.addAsks(level(it)));
    return message.build();
  }

  private static Level level(MarketDepth.Level level) {
    return Level.newBuilder()
        .setPriceE4(level.priceE4())
        .setSharesE4(level.sharesE4())
        .setOrders(level.orders())
        .build();
  }
}
