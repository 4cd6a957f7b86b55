package toystore.torture;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import toystore.common.v1.IdempotencyKey;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.AddSharesRequest;
import toystore.exchange.v1.CancelOrderRequest;
import toystore.exchange.v1.CreateAccountRequest;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.ExchangeServiceGrpc.ExchangeServiceBlockingStub;
import toystore.exchange.v1.GetOrderRequest;
import toystore.exchange.v1.ListAccountsRequest;
import toystore.exchange.v1.ListOrdersRequest;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.testkit.Conditions;
import toystore.testkit.GrpcTestClient;

/// Trades over gRPC as the administrator, with keys: each call is repeated until it is answered.
final class RpcTrader implements ExchangeTrader {
  private static final int PAGE = 200;
  private static final long DEADLINE_SECONDS = 3;
  private static final Set<Status.Code> REPEATED =
      Set.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED);

  private final GrpcTestClient client;
  private final ExchangeServiceBlockingStub stub;

  RpcTrader(int port, String adminToken) {
    client = new GrpcTestClient(port);
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + adminToken);
    stub =
        ExchangeServiceGrpc.newBlockingStub(client.channel())
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private <T> T answer(Function<ExchangeServiceBlockingStub, T> call) {
    return Conditions.patiently()
        .ignoreExceptionsMatching(e ->
            e instanceof StatusRuntimeException failure
                && REPEATED.contains(failure.getStatus().getCode()))
        .until(
            () -> {
              client.connectNow();
              return call.apply(stub.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS));
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

  @Override
  public TradedAccount open() {
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
    return new TradedAccount(Long.toString(number));
  }

  @Override
  public void trade(
      TradedAccount account, List<Order> placed, List<Long> queried, List<Long> canceled) {
    long number = Long.parseLong(account.id);
    for (Order order : placed) {
      var request =
          PlaceOrderRequest.newBuilder()
              .setKey(key())
              .setAccountId(number)
              .setSymbol(order.getSymbol())
              .setSide(order.getSide())
              .setSharesE4(order.getSharesE4())
              .setLimitE4(order.getLimitE4())
              .build();
      Order opened = whole(answer(it -> it.placeOrder(request)).getOrder());
      account.placed(opened);
      account.seen(opened);
    }
    for (long order : queried) {
      account.seen(order(number, order));
    }
    for (long order : canceled) {
      var request = CancelOrderRequest.newBuilder().setAccountId(number).setOrderId(order).build();
      account.seen(whole(answer(it -> it.cancelOrder(request)).getOrder()));
    }
  }

  private Order order(long account, long order) {
    var request =
        GetOrderRequest.newBuilder().setAccountId(account).setOrderId(order).setLimit(PAGE).build();
    return whole(answer(it -> it.getOrder(request)).getOrder());
  }

  /// Adds the executions of the next pages. While an order is open, there may be new ones: those
  /// after the first answer are left out.
  private Order whole(Order first) {
    var all = first.toBuilder().clearNextTradeId();
    long executed = first.getSharesE4() - first.getOpenSharesE4() - first.getCanceledSharesE4();
    long after = first.getNextTradeId();
    while (after != 0) {
      var request =
          GetOrderRequest.newBuilder()
              .setAccountId(first.getAccountId())
              .setOrderId(first.getOrderId())
              .setAfterTradeId(after)
              .setLimit(PAGE)
              .build();
      Order page = answer(it -> it.getOrder(request)).getOrder();
      all.addAllExecutions(page.getExecutionsList());
      after = page.getNextTradeId();
    }
    long found = 0;
    int count = 0;
    while (found < executed) {
      found += all.getExecutions(count++).getSharesE4();
    }
    var shown = List.copyOf(all.getExecutionsList().subList(0, count));
    return all.clearExecutions().addAllExecutions(shown).build();
  }

  /// All accounts of the exchange.
  List<Account> accounts() {
    List<Account> accounts = new ArrayList<>();
    List<Account> page;
    do {
      long last = accounts.isEmpty() ? 0 : accounts.getLast().getAccountId();
      var request = ListAccountsRequest.newBuilder().setAfterAccountId(last).setLimit(PAGE).build();
      page = answer(it -> it.listAccounts(request)).getAccountsList();
      accounts.addAll(page);
    } while (page.size() == PAGE);
    return accounts;
  }

  /// All orders of an account, with their executions.
  List<Order> orders(long account) {
    List<Order> orders = new ArrayList<>();
    List<Order> page;
    long before = 0;
    do {
      var request =
          ListOrdersRequest.newBuilder()
              .setAccountId(account)
              .setBeforeOrderId(before)
              .setLimit(PAGE)
              .build();
      page = answer(it -> it.listOrders(request)).getOrdersList();
      for (Order order : page) {
        before = order.getOrderId();
        orders.add(order(account, before));
      }
    } while (page.size() == PAGE);
    return orders;
  }

  List<String> faults() {
    return client.faults();
  }

  @Override
  public void close() {
    client.close();
  }
}
