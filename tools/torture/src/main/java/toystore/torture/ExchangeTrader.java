package toystore.torture;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
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
import toystore.exchange.v1.GetOrderRequest;
import toystore.exchange.v1.ListAccountsRequest;
import toystore.exchange.v1.ListOrdersRequest;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.PlaceOrderRequest;

/// Trades over gRPC as the administrator, with keys: each call is repeated until it is answered.
/// One thread.
final class ExchangeTrader implements AutoCloseable {
  private static final int PAGE = 200;
  private static final long DEADLINE_SECONDS = 3;
  private static final Set<Status.Code> REPEATED =
      Set.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED);

  private final GrpcTestClient client;

  ExchangeTrader(int port, String adminToken) {
    client = new GrpcTestClient(port, adminToken);
  }

  private <T> T answer(Function<ExchangeServiceBlockingStub, T> call) {
    return Conditions.patiently()
        .ignoreExceptionsMatching(e ->
            e instanceof StatusRuntimeException failure
                && REPEATED.contains(failure.getStatus().getCode()))
        .until(
            () -> {
              client.connectNow();
              return call.apply(
                  ExchangeServiceGrpc.newBlockingStub(client.channel())
                      .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS));
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
    return whole(answer(it -> it.placeOrder(request)).getOrder());
  }

  Order cancel(long account, long order) {
    var request = CancelOrderRequest.newBuilder().setAccountId(account).setOrderId(order).build();
    return whole(answer(it -> it.cancelOrder(request)).getOrder());
  }

  Order order(long account, long order) {
    return whole(page(account, order, 0));
  }

  private Order page(long account, long order, long after) {
    var request =
        GetOrderRequest.newBuilder()
            .setAccountId(account)
            .setOrderId(order)
            .setAfterTradeId(after)
            .setLimit(PAGE)
            .build();
    return answer(it -> it.getOrder(request)).getOrder();
  }

  /// Adds the executions of the next pages. While an order is open, there may be new ones: those
  /// after the first answer are left out.
  private Order whole(Order first) {
    var all = first.toBuilder().clearNextTradeId();
    long executed = first.getSharesE4() - first.getOpenSharesE4() - first.getCanceledSharesE4();
    long after = first.getNextTradeId();
    while (after != 0) {
      Order page = page(first.getAccountId(), first.getOrderId(), after);
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
    do {
      var request =
          ListOrdersRequest.newBuilder()
              .setAccountId(account)
              .setBeforeOrderId(orders.isEmpty() ? 0 : orders.getLast().getOrderId())
              .setLimit(PAGE)
              .build();
      page = answer(it -> it.listOrders(request)).getOrdersList();
      page.forEach(it -> orders.add(order(account, it.getOrderId())));
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
