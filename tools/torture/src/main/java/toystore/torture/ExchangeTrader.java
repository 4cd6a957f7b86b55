package toystore.torture;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import toystore.clients.Conditions;
import toystore.clients.GrpcTestClient;
import toystore.common.v1.IdempotencyKey;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.AddSharesRequest;
import toystore.exchange.v1.CancelOrderRequest;
import toystore.exchange.v1.CreateAccountRequest;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.ExchangeServiceGrpc.ExchangeServiceBlockingStub;
import toystore.exchange.v1.GetAccountRequest;
import toystore.exchange.v1.GetOrderRequest;
import toystore.exchange.v1.ListOrdersRequest;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.PlaceOrderRequest;

/// Trades over gRPC as the administrator, with keys: each call is repeated until it is answered.
/// One thread.
///
/// @param client has the administrator's token
record ExchangeTrader(GrpcTestClient client) implements AutoCloseable {
  /// The largest page. No account has more orders, and no order has more executions.
  private static final int PAGE = 200;

  private static final Duration DEADLINE = Duration.ofSeconds(3);
  private static final Set<Status.Code> REPEATED =
      Set.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED);

  private <T> T answer(Function<ExchangeServiceBlockingStub, T> call) {
    return Conditions.patiently()
        .ignoreExceptionsMatching(e ->
            e instanceof StatusRuntimeException failure
                && REPEATED.contains(failure.getStatus().getCode()))
        .until(
            () -> {
              client.connectNow();
              return call.apply(client.stub(ExchangeServiceGrpc::newBlockingStub, DEADLINE));
            },
            _ -> true);
  }

  private static IdempotencyKey key() {
    return IdempotencyKey.newBuilder()
        .setScope("torture")
        .setValue(UUID.randomUUID().toString())
        .setClientMade(true)
        .build();
  }

  /// Creates an account with [TradedAccount#CASH_E8] and shares of all [TradedAccount#SYMBOLS].
  TradedAccount open() {
    var creation =
        CreateAccountRequest.newBuilder().setKey(key()).setBalanceE8(TradedAccount.CASH_E8).build();
    long number = answer(it -> it.createAccount(creation)).getAccount().getAccountId();
    for (String symbol : TradedAccount.SYMBOLS) {
      var shares =
          AddSharesRequest.newBuilder()
              .setKey(key())
              .setAccountId(number)
              .setSymbol(symbol)
              .setSharesE4(TradedAccount.SHARES_E4)
              .build();
      answer(it -> it.addShares(shares));
    }
    return new TradedAccount(number);
  }

  Order place(PlaceOrderRequest.Builder order) {
    var request = order.setKey(key()).build();
    return answer(it -> it.placeOrder(request)).getOrder();
  }

  Order cancel(long account, long order) {
    var request = CancelOrderRequest.newBuilder().setAccountId(account).setOrderId(order).build();
    return answer(it -> it.cancelOrder(request)).getOrder();
  }

  Order order(long account, long order) {
    var request =
        GetOrderRequest.newBuilder().setAccountId(account).setOrderId(order).setLimit(PAGE).build();
    return answer(it -> it.getOrder(request)).getOrder();
  }

  Account account(long number) {
    var request = GetAccountRequest.newBuilder().setAccountId(number).build();
    return answer(it -> it.getAccount(request)).getAccount();
  }

  /// All orders of an account, with their executions.
  List<Order> orders(long account) {
    var request = ListOrdersRequest.newBuilder().setAccountId(account).setLimit(PAGE).build();
    return answer(it -> it.listOrders(request)).getOrdersList().stream()
        .map(it -> order(account, it.getOrderId()))
        .toList();
  }

  @Override
  public void close() {
    client.close();
  }
}
