package toystore.frontend;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Timestamp;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import toystore.exchange.v1.Side;
import toystore.exchange.v1.Trade;
import toystore.exchange.v1.WatchRequest;
import toystore.exchange.v1.WatchResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// A fake exchange. Its calls answer with one account and one order, or with the error that a test
/// has set. Its feed is that of the contract: the test makes the trades and breaks the connections.
public final class FakeExchangeRpc extends ExchangeServiceGrpc.ExchangeServiceImplBase {
  static final List<String> SYMBOLS = List.of("ACME", "BEAR");

  private static final ErrorReason SESSION_ENDED = ErrorReason.SESSION_ENDED;
  private static final Context.Key<String> TOKEN = Context.key("token");
  private static final Timestamp TIME = Timestamp.newBuilder().setSeconds(1_800_000_000).build();
  private static final long SHARE = 10_000;

  private static final Account ACCOUNT =
      Account.newBuilder()
          .setAccountId(7)
          .setCashE8(100_050_000_000L)
          .setReservedCashE8(1_250_000_000_000L)
          .addPositions(
              Position.newBuilder()
                  .setSymbol("ACME")
                  .setSharesE4(5_000)
                  .setReservedSharesE4(100 * SHARE))
          .build();

  private static final Order ORDER =
      Order.newBuilder()
          .setOrderId(12)
          .setAccountId(7)
          .setSymbol("ACME")
          .setSide(Side.SIDE_BUY)
          .setSharesE4(300 * SHARE)
          .setLimitE4(125 * SHARE)
          .setOpenSharesE4(100 * SHARE)
          .setOpenedAt(TIME)
          .addExecutions(
              Execution.newBuilder()
                  .setTradeId(1)
                  .setSharesE4(200 * SHARE)
                  .setPriceE4(1_249_999)
                  .setExecutedAt(TIME))
          .build();

  private final List<Trade> trades = new ArrayList<>();
  private final Map<ServerCallStreamObserver<WatchResponse>, String> watches =
      new LinkedHashMap<>();
  private @Nullable RpcError error;
  private @Nullable Object lastRequest;
  private @Nullable String lastToken;
  private int watchCalls;

  /// The service, which knows the tokens of one buyer, one seller and the administrator.
  ServerServiceDefinition service() {
    return ServerInterceptors.intercept(
        this,
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            String token =
                headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
            return Contexts.interceptCall(
                Context.current().withValue(TOKEN, token), call, headers, next);
          }
        });
  }

  public synchronized void reset() {
    breakWatches();
    trades.clear();
    error = null;
  }

  /// Makes all calls fail, except that for all readers of the feed.
  public synchronized void fail(ErrorReason reason, String message) {
    error = new RpcError(reason, message);
  }

  public synchronized <T> T lastRequest(Class<T> type) {
    return type.cast(requireNonNull(lastRequest));
  }

  /// The `authorization` of the last call that is no feed.
  public synchronized @Nullable String lastToken() {
    return lastToken;
  }

  /// Makes the next trade, number 1, 2, 3 …
  public synchronized void trade(String symbol, long shares) {
    execute(symbol, shares);
    publish(symbol, depthEvent(symbol));
  }

  /// Makes many trades of one share in one commit.
  public synchronized void trades(String symbol, int size) {
    for (int i = 0; i < size; i++) {
      execute(symbol, 1);
    }
    publish(symbol, depthEvent(symbol));
  }

  private void execute(String symbol, long shares) {
    var trade =
        Trade.newBuilder()
            .setTradeId(trades.size() + 1)
            .setSymbol(symbol)
            .setSharesE4(shares * SHARE)
            .setPriceE4(125 * SHARE)
            .setExecutedAt(TIME)
            .build();
    trades.add(trade);
    publish(symbol, WatchResponse.newBuilder().setTrade(trade).build());
  }

  private void publish(String symbol, WatchResponse event) {
    watches.forEach((watch, watched) -> {
      if (watched.isEmpty() || watched.equals(symbol)) {
        watch.onNext(event);
      }
    });
  }

  /// Ends all feeds, as a failed connection does.
  public synchronized void breakWatches() {
    var all = List.copyOf(watches.keySet());
    watches.clear();
    all.forEach(it -> it.onError(new RpcError(ErrorReason.NOT_DONE, "broken").toException()));
  }

  /// Number of feeds that are open.
  public synchronized int watches() {
    return watches.size();
  }

  /// Number of feeds that were opened since the start.
  synchronized int watchCalls() {
    return watchCalls;
  }

  @Override
  public synchronized void watch(
      WatchRequest request, StreamObserver<WatchResponse> responseObserver) {
    var watch = (ServerCallStreamObserver<WatchResponse>) responseObserver;
    watchCalls++;
    if (!isForAllReaders() && refused(request.getSymbol(), watch)) {
      return;
    }
    watch.setOnCancelHandler(() -> remove(watch));
    if (request.hasAfterTradeId()) {
      trades.stream()
          .filter(it -> it.getTradeId() > request.getAfterTradeId())
          .filter(it -> List.of("", it.getSymbol()).contains(request.getSymbol()))
          .forEach(it -> watch.onNext(WatchResponse.newBuilder().setTrade(it).build()));
    }
    watch.onNext(
        WatchResponse.newBuilder()
            .setReplayEnd(ReplayEnd.newBuilder().setLastTradeId(trades.size()))
            .build());
    SYMBOLS.stream()
        .filter(it -> List.of("", it).contains(request.getSymbol()))
        .forEach(it -> watch.onNext(depthEvent(it)));
    watches.put(watch, request.getSymbol());
  }

  private synchronized void remove(ServerCallStreamObserver<WatchResponse> watch) {
    watches.remove(watch);
  }

  private boolean refused(String symbol, StreamObserver<?> responseObserver) {
    RpcError refusal = error;
    if (!known(TOKEN.get())) {
      refusal = new RpcError(SESSION_ENDED, "the session has ended");
    } else if (refusal == null && !symbol.isEmpty() && !SYMBOLS.contains(symbol)) {
      refusal = new RpcError(ErrorReason.SYMBOL_NOT_FOUND, "symbol not found");
    }
    if (refusal != null) {
      responseObserver.onError(refusal.toException());
    }
    return refusal != null;
  }

  /// Whether the call is that for all readers, which goes on.
  private static boolean isForAllReaders() {
    Deadline deadline = Context.current().getDeadline();
    return deadline != null && deadline.timeRemaining(TimeUnit.MINUTES) > 10;
  }

  private static boolean known(@Nullable String authorization) {
    return Set.of(
            "Bearer " + FakeMarketplaceServices.BUYER_TOKEN,
            "Bearer " + FakeMarketplaceServices.SELLER_TOKEN,
            "Bearer " + RunningFrontend.TOKEN)
        .contains(String.valueOf(authorization));
  }

  private WatchResponse depthEvent(String symbol) {
    return WatchResponse.newBuilder().setDepth(depth(symbol)).build();
  }

  /// The depth of a symbol: each trade adds 100 shares to the bid.
  private Depth depth(String symbol) {
    var depth = Depth.newBuilder().setSymbol(symbol);
    if (symbol.equals("ACME")) {
      depth
          .addBids(
              Level.newBuilder()
                  .setPriceE4(125 * SHARE)
                  .setSharesE4(100 * SHARE * (trades.size() + 1))
                  .setOrders(1))
          .addAsks(Level.newBuilder().setPriceE4(1_280_001).setSharesE4(1).setOrders(2_000_000));
    }
    return depth.build();
  }

  private synchronized <A> void answer(
      StreamObserver<A> responseObserver, Object request, String symbol, A answer) {
    lastRequest = request;
    lastToken = TOKEN.get();
    if (!refused(symbol, responseObserver)) {
      responseObserver.onNext(answer);
      responseObserver.onCompleted();
    }
  }

  @Override
  public void createAccount(
      CreateAccountRequest request, StreamObserver<CreateAccountResponse> responseObserver) {
    answer(
        responseObserver,
        request,
        "",
        CreateAccountResponse.newBuilder().setAccount(ACCOUNT).build());
  }

  @Override
  public void addShares(
      AddSharesRequest request, StreamObserver<AddSharesResponse> responseObserver) {
    answer(
        responseObserver,
        request,
        "",
        AddSharesResponse.newBuilder().setPosition(ACCOUNT.getPositions(0)).build());
  }

  @Override
  public void listAccounts(
      ListAccountsRequest request, StreamObserver<ListAccountsResponse> responseObserver) {
    var response = ListAccountsResponse.newBuilder();
    if (request.getAfterAccountId() < ACCOUNT.getAccountId()) {
      response.addAccounts(ACCOUNT);
    }
    answer(responseObserver, request, "", response.build());
  }

  @Override
  public void getAccount(
      GetAccountRequest request, StreamObserver<GetAccountResponse> responseObserver) {
    var account = ACCOUNT.toBuilder().setNextSymbol(request.getLimit() == 1 ? "ACME" : "");
    answer(
        responseObserver, request, "", GetAccountResponse.newBuilder().setAccount(account).build());
  }

  @Override
  public void placeOrder(
      PlaceOrderRequest request, StreamObserver<PlaceOrderResponse> responseObserver) {
    answer(responseObserver, request, "", PlaceOrderResponse.newBuilder().setOrder(ORDER).build());
  }

  @Override
  public void getOrder(GetOrderRequest request, StreamObserver<GetOrderResponse> responseObserver) {
    var order = ORDER.toBuilder().setNextTradeId(request.getLimit() == 1 ? 1 : 0);
    answer(responseObserver, request, "", GetOrderResponse.newBuilder().setOrder(order).build());
  }

  @Override
  public void cancelOrder(
      CancelOrderRequest request, StreamObserver<CancelOrderResponse> responseObserver) {
    var canceled =
        ORDER.toBuilder()
            .setOpenSharesE4(0)
            .setCanceledSharesE4(ORDER.getOpenSharesE4())
            .setCanceledAt(TIME);
    answer(
        responseObserver, request, "", CancelOrderResponse.newBuilder().setOrder(canceled).build());
  }

  /// Two orders: 12 and 11.
  @Override
  public void listOrders(
      ListOrdersRequest request, StreamObserver<ListOrdersResponse> responseObserver) {
    long before = request.getBeforeOrderId() == 0 ? 13 : request.getBeforeOrderId();
    var response = ListOrdersResponse.newBuilder();
    for (long id = Math.min(before - 1, 12);
        id >= 11 && response.getOrdersCount() < request.getLimit();
        id--) {
      response.addOrders(ORDER.toBuilder().setOrderId(id).clearExecutions());
    }
    answer(responseObserver, request, "", response.build());
  }

  @Override
  public void listSymbols(
      ListSymbolsRequest request, StreamObserver<ListSymbolsResponse> responseObserver) {
    answer(
        responseObserver,
        request,
        "",
        ListSymbolsResponse.newBuilder()
            .addAllSymbols(
                SYMBOLS.stream()
                    .filter(it -> it.compareTo(request.getAfterSymbol()) > 0)
                    .limit(request.getLimit())
                    .toList())
            .build());
  }

  @Override
  public void getDepth(GetDepthRequest request, StreamObserver<GetDepthResponse> responseObserver) {
    answer(
        responseObserver,
        request,
        request.getSymbol(),
        GetDepthResponse.newBuilder().setDepth(depth(request.getSymbol())).build());
  }

  @Override
  public synchronized void listTrades(
      ListTradesRequest request, StreamObserver<ListTradesResponse> responseObserver) {
    long before = request.getBeforeTradeId() == 0 ? Long.MAX_VALUE : request.getBeforeTradeId();
    answer(
        responseObserver,
        request,
        request.getSymbol(),
        ListTradesResponse.newBuilder()
            .addAllTrades(
                trades.reversed().stream()
                    .filter(it -> it.getTradeId() < before)
                    .filter(it -> it.getSymbol().equals(request.getSymbol()))
                    .limit(request.getLimit())
                    .toList())
            .build());
  }
}
